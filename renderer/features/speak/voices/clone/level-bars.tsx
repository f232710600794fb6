import css from './recorder.module.css';

const barCount = 90;

/** The volume of a recording as bars. `share`: how much of the width it takes. `played`: the played part, 0 to 1. */
export function LevelBars({
  bars,
  share = 1,
  played = 1,
  isRecording = false,
}: {
  readonly bars: ArrayLike<number>;
  readonly share?: number;
  readonly played?: number;
  readonly isRecording?: boolean;
}) {
  const filled = Math.max(0, Math.min(barCount, Math.round(barCount * share)));
  const heights = Array.from({ length: barCount }, (_, at) => {
    if (at >= filled || bars.length === 0) return null;
    const from = Math.floor((at * bars.length) / filled);
    const to = Math.max(from + 1, Math.floor(((at + 1) * bars.length) / filled));
    let peak = 0;
    for (let bar = from; bar < to; bar += 1) peak = Math.max(peak, bars[bar] ?? 0);
    return peak;
  });
  return (
    <svg
      aria-hidden
      className={isRecording ? css['barsRecording'] : css['bars']}
      viewBox={`0 0 ${String(barCount * 4)} 48`}
      preserveAspectRatio="none"
    >
      {heights.map((height, at) => {
        // Perceived volume instead of the measured one.
        const size = height === null ? 2 : Math.max(2, 46 * height ** 0.6);
        const isPlayed = height !== null && at <= played * filled;
        return (
          <rect
            key={String(at)}
            x={at * 4 + 1}
            y={24 - size / 2}
            width={2}
            height={size}
            rx={1}
            opacity={height === null ? 0.25 : isPlayed ? 1 : 0.45}
          />
        );
      })}
    </svg>
  );
}
