export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <path d="M3.4 15v4.2M7.7 10v9.2M12 4v15.2M16.3 10v9.2M20.6 15v4.2" />
    </svg>
  );
}
