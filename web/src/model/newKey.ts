/** Names one attempt at something, however often it is retried. */
export function newKey(): string {
  // Not randomUUID, which pages that came over plain http do not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
