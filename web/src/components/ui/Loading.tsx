import { useCommonTexts } from "../../i18n/common";

export function Loading({ label }: { label?: string }) {
  const { loading } = useCommonTexts();
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{label ?? loading}</span>
      <LoadingDots />
    </div>
  );
}

export function LoadingDots() {
  return (
    <span className="loading-dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
