import { pageLocale } from "./time";

export const locale = pageLocale(navigator.language);
