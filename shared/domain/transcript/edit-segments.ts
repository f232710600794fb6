import { err, ok, type Result } from '../../result/result.ts';
import { applyChange, type Change, type EditRefusal, type Step } from './change.ts';
import { areAllGuesses, clampWords, fitWords, realignWords } from './realign-words.ts';
import { cleanTypedText, offsetOfWord } from './spoken-text.ts';
import { withComment, type Segment, type TimeSpan, type Transcript, type Word } from './transcript.ts';
import { stillUnheard } from './edit-marks.ts';

export function cutWord(word: Word, length: number): readonly [Word, Word] {
  const cutMs = Math.round(word.startMs + ((word.endMs - word.startMs) * length) / word.text.length);
  const halves = [word.text.slice(0, length), word.text.slice(length)] as const;
  const half = { ...word, isEstimated: true, wholeWord: { word, halves } } as const;
  return [
    { ...half, text: halves[0], endMs: cutMs },
    { ...half, text: halves[1], startMs: cutMs },
  ];
}

function wordAcross(first: Segment, second: Segment): Word | null {
  const [left, right] = [first.words.at(-1), second.words[0]];
  if (left?.wholeWord === undefined || left.wholeWord !== right?.wholeWord || left.mark !== right.mark) return null;
  const { wholeWord, ...rest } = left;
  const { word: whole, halves } = wholeWord;
  // In other letters than it was cut in, the halves need not add up to the word: s and h are с and ҳ, together ш.
  const isAsCut = left.text === halves[0] && right.text === halves[1];
  const text = isAsCut ? whole.text : left.text + right.text;
  const joined = withComment({ ...rest, text, endMs: right.endMs }, left.comment ?? right.comment);
  const isAsBefore =
    joined.text === whole.text &&
    joined.mark === whole.mark &&
    joined.comment === whole.comment &&
    joined.startMs === whole.startMs &&
    joined.endMs === whole.endMs;
  return isAsBefore ? whole : joined;
}

function joinedText(first: Segment, second: Segment): string {
  const across = wordAcross(first, second);
  const [left, right] = [first.words.at(-1)?.text ?? '', second.words[0]?.text ?? ''];
  if (across === null || !first.text.endsWith(left) || !second.text.startsWith(right))
    return first.text + gapBetween(first, second) + second.text;
  return first.text.slice(0, first.text.length - left.length) + across.text + second.text.slice(right.length);
}

export const gapBetween = (first: Segment, second: Segment): '' | ' ' =>
  first.text === '' || second.text === '' || wordAcross(first, second) !== null ? '' : ' ';

type Edit = Result<Change, EditRefusal>;

/** `realignWords` determines the times; what was not heard because of its words is still not heard. */
export function replaceText(transcript: Transcript, segmentId: string, typed: string): Edit {
  const segment = transcript.segments.find(({ id }) => id === segmentId);
  if (segment === undefined) return err('unknown-segment');
  const changed = withText(segment, typed);
  if (changed === segment) return err('nothing-to-change');
  return ok([{ type: 'set', segments: [changed] }, ...stillUnheard(transcript, [segment], [changed])]);
}

export function replaceTexts(transcript: Transcript, typed: ReadonlyMap<string, string>): Edit {
  const before: Segment[] = [];
  const segments = transcript.segments.flatMap((segment) => {
    const text = typed.get(segment.id);
    const changed = text === undefined ? segment : withText(segment, text);
    if (changed === segment) return [];
    before.push(segment);
    return [changed];
  });
  if (segments.length === 0) return err('nothing-to-change');
  return ok([{ type: 'set', segments }, ...stillUnheard(transcript, before, segments)]);
}

function withText(segment: Segment, typed: string): Segment {
  const text = cleanTypedText(typed);
  return text === segment.text ? segment : { ...segment, text, words: realignWords(segment.words, text, segment) };
}

/** The first one's speaker applies to both, and a word that a split cut is whole again. */
export function mergeSegments(transcript: Transcript, firstId: string, secondId: string): Edit {
  const at = transcript.segments.findIndex(({ id }) => id === firstId);
  const other = transcript.segments.findIndex(({ id }) => id === secondId);
  const first = transcript.segments[at];
  const second = transcript.segments[other];
  if (first === undefined || second === undefined) return err('unknown-segment');
  const isNext = other > at && transcript.segments.slice(at + 1, other).every((s) => s.speakerId !== first.speakerId);
  if (!isNext) return err('nothing-to-merge');
  const bounds = { startMs: first.startMs, endMs: Math.max(first.endMs, second.endMs) };
  const across = wordAcross(first, second);
  const merged: Segment = {
    ...first,
    ...bounds,
    text: joinedText(first, second),
    words: clampWords(
      across === null
        ? [...first.words, ...second.words]
        : [...first.words.slice(0, -1), across, ...second.words.slice(1)],
      bounds,
    ),
  };
  return ok(
    withoutOverlaps(transcript, [
      { type: 'set', segments: [merged] },
      { type: 'splice', at: other, removed: [secondId], inserted: [] },
    ]),
  );
}

/** Deletes segments. The audio of their cut and redacted words stays cut. */
export function deleteSegments(transcript: Transcript, ids: ReadonlySet<string>): Edit {
  const steps: Step[] = [];
  for (let at = transcript.segments.length - 1; at >= 0; at -= 1) {
    const end = at + 1;
    while (at >= 0 && ids.has(transcript.segments[at]?.id ?? '')) at -= 1;
    const removed = transcript.segments.slice(at + 1, end).map(({ id }) => id);
    if (removed.length > 0) steps.push({ type: 'splice', at: at + 1, removed, inserted: [] });
  }
  if (steps.length === 0) return err('unknown-segment');
  const gone = transcript.segments.filter(({ id }) => ids.has(id));
  return ok([...steps, ...stillUnheard(transcript, gone, [])]);
}

/** An edge is not moved nearer to the other one than this; a segment that was received may be shorter. */
export const shortestSegmentMs = 50;

export const isBesideOtherEdge = ({ startMs, endMs }: TimeSpan, edge: 'start' | 'end', toMs: number): boolean =>
  (edge === 'start' ? endMs - toMs : toMs - startMs) >= shortestSegmentMs;

export function roomForEdge(transcript: Transcript, at: number, edge: 'start' | 'end'): TimeSpan {
  const { segments, durationMs } = transcript;
  const segment = segments[at];
  if (segment === undefined) return { startMs: 0, endMs: 0 };
  const isSame = (other: Segment) => other.speakerId === segment.speakerId;
  if (edge === 'end')
    return {
      startMs: Math.min(segment.endMs, segment.startMs + shortestSegmentMs),
      endMs: Math.max(segment.endMs, segments.slice(at + 1).find(isSame)?.startMs ?? durationMs),
    };
  const before = segments.slice(0, at);
  return {
    startMs: Math.max(Math.min(segment.startMs, before.findLast(isSame)?.endMs ?? 0), before.at(-1)?.startMs ?? 0),
    endMs: Math.min(
      Math.max(segment.startMs, segment.endMs - shortestSegmentMs),
      segments[at + 1]?.startMs ?? Infinity,
    ),
  };
}

/** As near as there is room. Two people at once may become less, but no edge is laid over the neighbour. */
export function moveEdge(transcript: Transcript, segmentId: string, edge: 'start' | 'end', toMs: number): Edit {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const segment = transcript.segments[at];
  if (segment === undefined) return err('unknown-segment');
  const room = roomForEdge(transcript, at, edge);
  const saidBefore = transcript.segments.slice(0, at).reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
  const saidAfter = transcript.segments[at + 1]?.startMs ?? Infinity;
  const least = edge === 'end' ? room.startMs : Math.max(room.startMs, Math.min(segment.startMs, saidBefore));
  const most = edge === 'start' ? room.endMs : Math.min(room.endMs, Math.max(segment.endMs, saidAfter));
  const placed = Math.max(least, Math.min(most, Math.round(toMs)));
  if (placed === (edge === 'start' ? segment.startMs : segment.endMs)) return err('nothing-to-change');
  const moved = withBounds(
    segment,
    edge === 'start' ? placed : segment.startMs,
    edge === 'end' ? placed : segment.endMs,
  );
  return ok([{ type: 'set', segments: [moved] }]);
}

/** Moves the edge of a segment where the caption has it, else its first or last word. `span`: its words' time. */
export function stretchCaption(
  transcript: Transcript,
  segmentIds: readonly string[],
  span: TimeSpan,
  wanted: TimeSpan,
): Edit {
  const { segments } = transcript;
  const isOwn = ({ id }: Segment) => segmentIds.includes(id);
  const starts = segments.findIndex((one) => isOwn(one) && one.words.some(({ startMs }) => startMs === span.startMs));
  if (starts < 0) return err('unknown-segment');
  const ends = segments.findLastIndex(
    (one, at) =>
      at >= starts &&
      isOwn(one) &&
      one.words.some(({ startMs, endMs }) => startMs >= span.startMs && endMs <= span.endMs),
  );
  const startMs = Math.max(wanted.startMs, roomForEdge(transcript, starts, 'start').startMs);
  const endMs = Math.min(wanted.endMs, roomForEdge(transcript, ends, 'end').endMs);
  const changed = [...new Set([starts, ends])].flatMap((at) => {
    const segment = segments[at];
    if (segment === undefined) return [];
    const first = segment.words.findIndex((word) => word.startMs === span.startMs);
    const last = segment.words.findLastIndex((word) => word.startMs >= span.startMs && word.endMs <= span.endMs);
    const words = segment.words.map((word, place): Word => {
      const begins = at === starts && place === first && place > 0 && startMs < word.startMs;
      const limitMs = segment.words[place + 1]?.startMs ?? endMs;
      const isLast = place === segment.words.length - 1;
      const closes = at === ends && place === last && !isLast && Math.min(endMs, limitMs) > word.endMs;
      if (!begins && !closes) return word;
      const from = begins ? Math.max(startMs, segment.words[place - 1]?.endMs ?? 0) : word.startMs;
      return { ...word, startMs: from, endMs: closes ? Math.min(endMs, limitMs) : word.endMs, isEstimated: true };
    });
    const bounds = {
      startMs: at === starts && first === 0 ? Math.min(segment.startMs, startMs) : segment.startMs,
      endMs: at === ends && last === segment.words.length - 1 ? Math.max(segment.endMs, endMs) : segment.endMs,
    };
    const isSame = bounds.startMs === segment.startMs && bounds.endMs === segment.endMs;
    const areWordsSame = words.every((word, place) => word === segment.words[place]);
    if (isSame && areWordsSame) return [];
    // Words of another caption stay where that one is shown.
    const isAllOfIt = (at > starts || first === 0) && (at < ends || last === segment.words.length - 1);
    if (isAllOfIt && areAllGuesses(segment.words)) return [withBounds(segment, bounds.startMs, bounds.endMs)];
    return [{ ...segment, ...bounds, words: areWordsSame ? segment.words : words }];
  });
  return changed.length === 0 ? err('no-room') : ok([{ type: 'set', segments: changed }]);
}

/** Moves the end of one segment to a time, and the start of the next as far, while both have room: the gap stays. */
export function moveSharedEdge(transcript: Transcript, firstId: string, toMs: number): Edit {
  const { segments } = transcript;
  const at = segments.findIndex(({ id }) => id === firstId);
  const [first, second] = [segments[at], segments[at + 1]];
  if (first === undefined || second === undefined) return err('unknown-segment');
  // Each moves along with the other, so that only what is beside the two is in the way.
  const ends = roomForEdge({ ...transcript, segments: segments.toSpliced(at + 1, 1) }, at, 'end');
  const starts = roomForEdge({ ...transcript, segments: segments.toSpliced(at, 1) }, at, 'start');
  const least = Math.max(ends.startMs - first.endMs, Math.max(first.startMs, starts.startMs) - second.startMs);
  const most = Math.min(ends.endMs - first.endMs, starts.endMs - second.startMs);
  const byMs = Math.max(least, Math.min(most, Math.round(toMs) - first.endMs));
  if (byMs === 0) return err('nothing-to-change');
  const moved = [
    withBounds(first, first.startMs, first.endMs + byMs),
    withBounds(second, second.startMs + byMs, second.endMs),
  ];
  return ok([{ type: 'set', segments: moved }]);
}

export function rippleFrom(transcript: Transcript, segmentId: string, byMs: number): Edit {
  const from = transcript.segments.findIndex(({ id }) => id === segmentId);
  if (from < 0) return err('unknown-segment');
  const { segments, durationMs } = transcript;
  const lastEnd = new Map<string | null, number>();
  for (const { speakerId, endMs } of segments.slice(0, from)) lastEnd.set(speakerId, endMs);
  let least = -((segments[from]?.startMs ?? 0) - (segments[from - 1]?.startMs ?? 0));
  let most = Infinity;
  for (const { speakerId, startMs, endMs } of segments.slice(from)) {
    least = Math.max(least, Math.min(0, (lastEnd.get(speakerId) ?? 0) - startMs));
    lastEnd.delete(speakerId);
    most = Math.min(most, durationMs - endMs);
  }
  const moved = Math.max(least, Math.min(most, Math.round(byMs)));
  return moved === 0 ? err('no-room') : ok([{ type: 'shift', from, byMs: moved }]);
}

/** Moves an edge to a time and shifts everything after it, so that later distances stay. */
export function moveEdgeRippling(transcript: Transcript, segmentId: string, edge: 'start' | 'end', toMs: number): Edit {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const segment = transcript.segments[at];
  const next = transcript.segments[at + 1];
  if (segment === undefined) return err('unknown-segment');
  if (edge === 'start') return rippleFrom(transcript, segmentId, toMs - segment.startMs);
  if (next === undefined) return moveEdge(transcript, segmentId, 'end', toMs);
  const byMs = Math.max(roomForEdge(transcript, at, 'end').startMs, Math.round(toMs)) - segment.endMs;
  // Room is made before it is used: a later end shifts the others first, an earlier one itself.
  const moveOwn = (now: Transcript, by: number) => moveEdge(now, segmentId, 'end', segment.endMs + by);
  const moveRest = (now: Transcript) => rippleFrom(now, next.id, byMs);
  const first = byMs > 0 ? moveRest(transcript) : moveOwn(transcript, byMs);
  if (!first.ok) return byMs > 0 ? moveOwn(transcript, byMs) : first;
  const applied = applyChange(transcript, first.value);
  if (!applied.ok) return applied;
  const [step] = first.value;
  const second =
    byMs > 0
      ? moveOwn(applied.value.transcript, step?.type === 'shift' ? step.byMs : 0)
      : moveRest(applied.value.transcript);
  return ok(second.ok ? [...first.value, ...second.value] : first.value);
}

export const withBounds = (segment: Segment, startMs: number, endMs: number): Segment => ({
  ...segment,
  startMs,
  endMs,
  words: fitWords(segment.words, { startMs, endMs }),
});

/** Adds steps that end a segment where the same speaker's next one begins, but for overlaps in `known`. */
export function withoutOverlaps(
  transcript: Transcript,
  change: Change,
  known: readonly Transcript[] = [transcript],
): Change {
  const timesOf = ({ id, speakerId, endMs }: Segment) => JSON.stringify([id, speakerId, endMs]);
  const kept = new Set(known.flatMap(({ segments }) => overlapsOf(segments).map(({ segment }) => timesOf(segment))));
  const shortened = overlapsOf(after(transcript, change)).flatMap(({ segment, limit }) =>
    kept.has(timesOf(segment)) ? [] : [withBounds(segment, segment.startMs, limit)],
  );
  return shortened.length === 0 ? change : [...change, { type: 'set', segments: shortened }];
}

/** The segments that end after the same speaker's next one begins: at `limit`. */
function overlapsOf(segments: readonly Segment[]): readonly { readonly segment: Segment; readonly limit: number }[] {
  const nextStart = new Map<string | null, number>();
  return segments.toReversed().flatMap((segment) => {
    const limit = nextStart.get(segment.speakerId) ?? Infinity;
    nextStart.set(segment.speakerId, segment.startMs);
    return segment.endMs > limit ? [{ segment, limit }] : [];
  });
}

function after({ segments }: Transcript, change: Change): readonly Segment[] {
  let current = segments;
  for (const step of change) {
    if (step.type === 'splice') current = current.toSpliced(step.at, step.removed.length, ...step.inserted);
    else if (step.type === 'set') {
      const changed = new Map(step.segments.map((segment) => [segment.id, segment]));
      current = current.map((segment) => changed.get(segment.id) ?? segment);
    }
  }
  return current;
}

/** A split word gets its time divided by letters; `gapMs` is left between the two where times are estimated. */
export function splitSegment(
  transcript: Transcript,
  segmentId: string,
  wanted: number,
  newId: string,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const found = transcript.segments[at];
  if (found === undefined) return err('unknown-segment');
  // Deleted words may have left their time to no other.
  const segment = { ...found, words: fitWords(found.words, found) };
  // Never splits a surrogate pair.
  const offset = /^[\uDC00-\uDFFF]/.test(segment.text.slice(wanted)) ? wanted + 1 : wanted;
  const [left, right] = splitWords(segment, offset);
  const lastLeft = left.at(-1);
  const firstRight = right[0];
  if (lastLeft === undefined || firstRight === undefined) return err('nothing-to-split');
  const gapFromMs = lastLeft.isEstimated === true ? firstRight.startMs - gapMs : lastLeft.endMs;
  const hasRoom = gapFromMs - segment.startMs >= shortestSegmentMs;
  const [first, second] = parts(segment, offset, newId);
  return ok(
    replaceByTwo(
      transcript,
      at,
      withBounds(
        { ...first, words: left },
        segment.startMs,
        hasRoom ? Math.min(lastLeft.endMs, gapFromMs) : lastLeft.endMs,
      ),
      { ...second, startMs: firstRight.startMs, words: right },
    ),
  );
}

/** Where all times are guesses the second part begins exactly then, and the first ends `gapMs` earlier. */
export function splitSegmentAt(
  transcript: Transcript,
  segmentId: string,
  timeMs: number,
  newId: string,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const at = transcript.segments.findIndex(({ id }) => id === segmentId);
  const segment = transcript.segments[at];
  if (segment === undefined) return err('unknown-segment');
  const offset = splitOffsetAt(segment, timeMs);
  if (offset === null) return err('nothing-to-split');
  if (!areAllGuesses(segment.words)) return splitSegment(transcript, segmentId, offset, newId, gapMs);
  const [left, right] = splitWords(segment, offset);
  const [first, second] = parts(segment, offset, newId);
  const { startMs, endMs } = segment;
  const gapFromMs = timeMs - startMs - gapMs >= shortestSegmentMs ? timeMs - gapMs : timeMs;
  const timed = (part: Segment, words: readonly Word[], bounds: TimeSpan): Segment => ({
    ...part,
    ...bounds,
    words: fitWords(words, bounds),
  });
  return ok(
    replaceByTwo(
      transcript,
      at,
      timed(first, left, { startMs, endMs: gapFromMs }),
      timed(second, right, { startMs: timeMs, endMs }),
    ),
  );
}

/** Before the word that is spoken then or next; by guesses, between the nearest. Null if a part would be empty. */
export function splitOffsetAt(segment: Segment, timeMs: number): number | null {
  const { startMs, endMs, words } = segment;
  if (!areAllGuesses(words)) {
    const next = words.findIndex((word) => word.endMs > timeMs);
    return next < 1 ? null : offsetOfWord(segment, next);
  }
  const hasRoom = timeMs - startMs >= shortestSegmentMs && endMs - timeMs >= shortestSegmentMs;
  if (words.length < 2 || !hasRoom) return null;
  const distances = fitWords(words, segment)
    .slice(1)
    .map((word) => Math.abs(word.startMs - timeMs));
  return offsetOfWord(segment, 1 + distances.indexOf(Math.min(...distances)));
}

const parts = (segment: Segment, offset: number, newId: string): readonly [Segment, Segment] => [
  { ...segment, text: cleanTypedText(segment.text.slice(0, offset)) },
  { ...segment, id: newId, text: cleanTypedText(segment.text.slice(offset)) },
];

function replaceByTwo({ segments }: Transcript, at: number, first: Segment, second: Segment): Change {
  // Another speaker may begin between the two.
  let place = at + 1;
  while ((segments[place]?.startMs ?? Infinity) < second.startMs) place += 1;
  return [
    { type: 'set', segments: [first] },
    { type: 'splice', at: place, removed: [], inserted: [second] },
  ];
}

function splitWords({ words }: Segment, offset: number): readonly [readonly Word[], readonly Word[]] {
  let from = 0;
  for (const [at, word] of words.entries()) {
    const to = from + word.text.length;
    if (offset <= from) return [words.slice(0, at), words.slice(at)];
    if (offset < to) {
      const [left, right] = cutWord(word, offset - from);
      return [
        [...words.slice(0, at), left],
        [right, ...words.slice(at + 1)],
      ];
    }
    from = to + 1;
  }
  return [words, []];
}

/** A new segment takes as much of a gap as this, unless a range was chosen for it. */
const usualLengthMs = 2000;

/** Where nobody speaks, and `gapMs` before the next segment if that leaves enough; null for too little room. */
export function roomForSegment(transcript: Transcript, place: number | TimeSpan, gapMs = 0): TimeSpan | null {
  const room = freeTimeAt(transcript, place);
  if (room === null) return null;
  const next = transcript.segments.find(({ startMs }) => startMs >= room.endMs);
  const endMs = Math.min(room.endMs, (next?.startMs ?? Infinity) - gapMs);
  return longEnough({ ...room, endMs }) ?? room;
}

function freeTimeAt(transcript: Transcript, place: number | TimeSpan): TimeSpan | null {
  const gaps = gapsOf(transcript);
  if (typeof place !== 'number') {
    const clipped = gaps.map(({ startMs, endMs }) => ({
      startMs: Math.max(startMs, Math.round(place.startMs)),
      endMs: Math.min(endMs, Math.round(place.endMs)),
    }));
    return longEnough(
      clipped.reduce<TimeSpan | null>((most, one) => (lengthOf(one) > lengthOf(most) ? one : most), null),
    );
  }
  const gap = gapAt(transcript, place);
  if (gap === null) return null;
  // So near to the end of the gap that the rest of it is too short, a segment begins a little earlier.
  const startMs = Math.max(gap.startMs, Math.min(Math.round(place), gap.endMs - shortestSegmentMs));
  return longEnough({ startMs, endMs: Math.min(gap.endMs, startMs + usualLengthMs) });
}

export const gapAt = (transcript: Transcript, timeMs: number): TimeSpan | null =>
  gapsOf(transcript).findLast(({ startMs, endMs }) => startMs <= timeMs && timeMs < endMs) ?? null;

export const nextRoom = (transcript: Transcript, timeMs: number): number | null =>
  gapsOf(transcript).find((gap) => gap.startMs > timeMs && longEnough(gap) !== null)?.startMs ?? null;

/** Into a gap (see `roomForSegment`), said by who spoke before it, or else by who speaks after it. */
export function insertSegment(
  transcript: Transcript,
  newId: string,
  wanted: number | TimeSpan,
  gapMs = 0,
): Result<Change, EditRefusal> {
  const room = roomForSegment(transcript, wanted, gapMs);
  if (room === null) return err('no-room');
  const { segments } = transcript;
  const at = segments.findLastIndex(({ startMs }) => startMs <= room.startMs) + 1;
  const speakerId = (segments[at - 1] ?? segments[at])?.speakerId ?? null;
  return ok([{ type: 'splice', at, removed: [], inserted: [{ id: newId, speakerId, ...room, text: '', words: [] }] }]);
}

function gapsOf({ segments, durationMs }: Transcript): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let saidMs = 0;
  for (const { startMs, endMs } of [...segments, { startMs: durationMs, endMs: durationMs }]) {
    if (startMs > saidMs) gaps.push({ startMs: saidMs, endMs: startMs });
    saidMs = Math.max(saidMs, endMs);
  }
  return gaps;
}

const lengthOf = (span: TimeSpan | null): number => (span === null ? 0 : span.endMs - span.startMs);

const longEnough = (span: TimeSpan | null): TimeSpan | null => (lengthOf(span) >= shortestSegmentMs ? span : null);
