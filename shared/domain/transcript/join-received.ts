import type { ReceivedTranscript } from './received.ts';

/** Joins the texts of consecutive stretches of audio into one with times from the first; null for none. */
export function joinReceived(parts: readonly ReceivedTranscript[]): ReceivedTranscript | null {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? null;
  let offsetMs = 0;
  const segments = parts.flatMap((part) => {
    const moved = part.segments.map((segment) => ({
      ...segment,
      ...later(segment, offsetMs),
      words: segment.words.map((word) => ({ ...word, ...later(word, offsetMs) })),
    }));
    offsetMs += part.durationMs ?? 0;
    return moved;
  });
  return { ...first, text: parts.map(({ text }) => text.trim()).join(' '), durationMs: offsetMs, segments };
}

const later = (
  { startMs, endMs }: { readonly startMs?: number; readonly endMs?: number },
  ms: number,
): { readonly startMs?: number; readonly endMs?: number } => ({
  ...(startMs === undefined ? {} : { startMs: startMs + ms }),
  ...(endMs === undefined ? {} : { endMs: endMs + ms }),
});
