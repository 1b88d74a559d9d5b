export function Loading({ label }: { label: string }) {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{label}</span>
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
