import { locale } from "./locale";

export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString(locale)} ${noun}${amount === 1 ? "" : "s"}`;
}
