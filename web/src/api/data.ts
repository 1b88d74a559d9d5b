import type { DeletedUserCounts, ImportReport } from "../../generated/schema";
import { apiPath, request } from "./client";
import { ApiError } from "./error";
import { getMe } from "./identity";

export type { DeletedUserCounts, ImportCounts, ImportReport } from "../../generated/schema";

/** Download URL of all the user's data. */
export const exportPath = apiPath("export");

/**
 * Uploads a file to import. Importing it again changes nothing. `onProgress` gets the uploaded
 * share, which is why this request uses XMLHttpRequest: `fetch` reports no upload progress.
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
    request.addEventListener("load", () => resolve(parseResponse(request)));
    request.addEventListener("error", () => reject(ApiError.unreachable()));
    request.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.open("POST", apiPath("import"));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}

async function parseResponse(request: XMLHttpRequest): Promise<ImportReport> {
  const response = new Response(request.responseText, { status: request.status });
  if (response.ok) return (await response.json()) as ImportReport;
  // Notifies the listeners of `onUnauthorized`.
  if (response.status === 401) await getMe();
  throw await ApiError.fromResponse(response);
}

/** Deletes the user and all their data. */
export function deleteMe(): Promise<{ deleted: DeletedUserCounts }> {
  return request("DELETE", apiPath("me"));
}
