import { pathTo, request } from "./client";
import { ApiError } from "./error";
import { getMe } from "./identity";
import type { DeletedUserCounts, ImportReport } from "../../generated/schema";

export type { DeletedUserCounts, ImportCounts, ImportReport } from "../../generated/schema";

/** Everything that is the user's, as a file: an address to download from. */
export const exportPath = pathTo("export");

/**
 * Sends a file to be read in; importing it again changes nothing. `onProgress` is told the share
 * that has been sent. `fetch` cannot tell that, so this is the one request that does without it.
 */
export function importFile(
  file: Blob,
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      onProgress?.(total === 0 ? 1 : loaded / total);
    });
    request.addEventListener("load", () => resolve(answerOf(request)));
    request.addEventListener("error", () => reject(ApiError.unreachable()));
    request.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.open("POST", pathTo("import"));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}

async function answerOf(request: XMLHttpRequest): Promise<ImportReport> {
  const response = new Response(request.responseText, { status: request.status });
  if (response.ok) return (await response.json()) as ImportReport;
  // Whoever listens for the end of a session hears of it through the usual way.
  if (response.status === 401) await getMe();
  throw await ApiError.fromResponse(response);
}

/** The user, and all that is theirs, for good. */
export function deleteMe(): Promise<{ deleted: DeletedUserCounts }> {
  return request("DELETE", pathTo("me"));
}
