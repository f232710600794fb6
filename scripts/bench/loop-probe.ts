import { writeFileSync } from 'node:fs';

/**
 * Preloaded into main before the app (`node --import`). The first SIGUSR2 starts to measure the delay of a 5 ms timer,
 * and the next one writes the results, in milliseconds, to OVOZ_BENCH_LOOP. Until then it costs nothing.
 */
const target = process.env['OVOZ_BENCH_LOOP'];
const everyMs = 5;
const late: number[] = [];
let timer: NodeJS.Timeout | null = null;
let beganAt = 0;

function watch(): NodeJS.Timeout {
  let last = performance.now();
  return setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - everyMs));
    last = now;
  }, everyMs);
}

process.on('SIGUSR2', () => {
  if (target === undefined) return;
  if (timer === null) {
    timer = watch();
    beganAt = performance.now();
    return;
  }
  // A signal has been observed to arrive twice.
  if (performance.now() - beganAt < 1_000) return;
  clearInterval(timer);
  const sorted = late.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  writeFileSync(target, JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 }));
});
