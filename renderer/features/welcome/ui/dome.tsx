const heights = [
  18, 66, 90, 113, 134, 151, 134, 144, 167, 170, 205, 190, 190, 186, 216, 208, 221, 202, 255, 240, 206, 246, 224, 201,
  249, 221, 240, 197, 248, 195, 199, 173, 202, 143, 148, 140, 138, 115, 79, 58, 18,
];

/** A level meter that is also a dome of Samarkand. */
export function Dome({ className }: { readonly className: string | undefined }) {
  const middle = (heights.length - 1) / 2;
  return (
    <svg
      className={className}
      viewBox="0 0 460 340"
      fill="none"
      stroke="currentColor"
      strokeWidth="5.5"
      strokeLinecap="round"
      aria-hidden
    >
      {heights.map((height, index) => (
        <path
          key={`bar-${String(index)}`}
          d={`M${String(10 + index * 11)} ${String(330 - height)}V330`}
          opacity={1 - (Math.abs(index - middle) / middle) * 0.7}
        />
      ))}
    </svg>
  );
}
