const kept = "recollect.preferences";

/** What this browser has kept of the user (drafts, what was read) goes too; how the page looks stays. */
export function forgetHere(): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith("recollect.") && name !== kept) localStorage.removeItem(name);
    }
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
