/** A word from the service; times in integer milliseconds, or absent when it gave none. */
export interface ReceivedWord {
  readonly text: string;
  readonly startMs?: number;
  readonly endMs?: number;
}

export interface ReceivedSegment {
  readonly text: string;
  readonly startMs?: number;
  readonly endMs?: number;
  /** The service's own label ("SPEAKER_00", "1", "A"); absent when speakers were not distinguished. */
  readonly speaker?: string;
  readonly words: readonly ReceivedWord[];
  /** Of subtitles: which words of the text are in italics, by their indexes; absent for none. */
  readonly italics?: ReadonlySet<number>;
}

/** The result of a tolerant reader for a transcription body (contract 4.6 shows no shape). */
export interface ReceivedTranscript {
  readonly text: string;
  readonly title?: string;
  readonly language?: string;
  readonly durationMs?: number;
  readonly segments: readonly ReceivedSegment[];
  /** For dictated speech: its actions in the ledger; absent in takes of older versions. */
  readonly paidIds?: readonly string[];
}

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
  const paidIds = parts.flatMap((part) => part.paidIds ?? []);
  const text = parts.map((part) => part.text.trim()).join(' ');
  return { ...first, text, durationMs: offsetMs, segments, ...(paidIds.length > 0 && { paidIds }) };
}

const later = (
  { startMs, endMs }: { readonly startMs?: number; readonly endMs?: number },
  ms: number,
): { readonly startMs?: number; readonly endMs?: number } => ({
  ...(startMs === undefined ? {} : { startMs: startMs + ms }),
  ...(endMs === undefined ? {} : { endMs: endMs + ms }),
});
