import { spellUzbek } from '../text/uzbek-letters.ts';
import type { Change, Step } from './change.ts';
import { namedIn, respell, respellerTo, respellWord, segmentIn, wordsIn, type TranscriptScript } from './in-script.ts';
import { matchWords } from './realign-words.ts';
import type { Segment, Speaker, Transcript, WholeWord, Word } from './transcript.ts';

/** A transcript that is read and corrected in other letters than it is stored in. */
export interface ScriptView {
  /** The transcript as it is shown. What was typed is shown as it was typed, also where its letters are stored as others. */
  readonly show: (stored: Transcript) => Transcript;
  /** The same for a segment of it, or of an earlier version. */
  readonly showSegment: (stored: Segment) => Segment;
  /** A word that was never part of it. */
  readonly showWord: (stored: string) => string;
  /** A title or the name of a person. What was typed is shown as it was typed. */
  readonly showName: (stored: string) => string;
  /** What a title or a name that was typed is stored as. */
  readonly storeName: (typed: string) => string;
  /**
   * The change of the stored transcript for a change of the shown one. Words that are the same keep their stored
   * spelling, whatever it is; only the others are written in the stored letters.
   */
  readonly store: (stored: Transcript, change: Change) => Change;
  /**
   * Shows the words of a segment that were typed in the stored letters in the letters of the view from now on, as they
   * are shown when the transcript is opened again; false when it has none.
   */
  readonly settle: (stored: Transcript, segmentId: string) => boolean;
}

const asWritten: ScriptView = {
  show: (stored) => stored,
  showSegment: (stored) => stored,
  showWord: (stored) => stored,
  showName: (stored) => stored,
  storeName: (typed) => typed,
  store: (_, change) => change,
  settle: () => false,
};

/** A view of Uzbek transcripts in one alphabet that are stored in the other. */
export function viewInScript(script: TranscriptScript): ScriptView {
  if (script === 'as-written') return asWritten;
  const [toShown, toOther] = [respellerTo(script), respellerTo(script === 'latin' ? 'cyrillic' : 'latin')];
  // Latin letters are typed with the apostrophes of the keyboard.
  const toStored = (text: string) => (script === 'latin' ? toOther(text) : spellUzbek(toOther(text)));
  /** What shown words are stored as that were edited around, wherever they go, also as halves and whole again. */
  const spellings = new WeakMap<Word, string>();
  const [shownWholes, storedWholes] = [new WeakMap<WholeWord, WholeWord>(), new WeakMap<WholeWord, WholeWord>()];
  const wholesBy = (made: typeof shownWholes, madeOf: typeof shownWholes, change: typeof toShown) => {
    const respellWhole = (whole: WholeWord): WholeWord => {
      const known = made.get(whole);
      if (known !== undefined) return known;
      const { word, halves } = whole;
      const text = spellings.get(word) ?? change(word.text);
      const respelled: WholeWord = {
        word: respellWord(word, text, respellWhole),
        halves: [change(halves[0]), change(halves[1])],
      };
      spellings.set(respelled.word, word.text);
      made.set(whole, respelled);
      madeOf.set(respelled, whole);
      return respelled;
    };
    return respellWhole;
  };
  const showWhole = wholesBy(shownWholes, storedWholes, toShown);
  const storeWhole = wholesBy(storedWholes, shownWholes, toStored);
  /** A segment with the text that another one with the same words is shown in. */
  const withTextOf = ({ text, words }: Segment, stored: Segment): Segment => ({
    ...stored,
    text,
    words: stored.words.map((word, at) => respellWord(word, words[at]?.text ?? '', showWhole)),
  });
  const shownSegments = new WeakMap<Segment, Segment>();
  const shownTranscripts = new WeakMap<Transcript, Transcript>();
  // What was typed is known again by these where only its times are others, as after a shift.
  let lastShown: Transcript | null = null;
  let lastById: ReadonlyMap<string, Segment> | null = null;
  const showSegment = (stored: Segment): Segment => {
    const known = shownSegments.get(stored);
    if (known !== undefined) return known;
    lastById ??= new Map(lastShown?.segments.map((segment) => [segment.id, segment]));
    const before = lastById.get(stored.id);
    const shownBefore = before !== undefined && isSameText(before, stored) ? shownSegments.get(before) : undefined;
    const made = shownBefore === undefined ? segmentIn(stored, toShown, showWhole) : withTextOf(shownBefore, stored);
    shownSegments.set(stored, made);
    return made;
  };
  const storeSegment = (typed: Segment, sources: readonly Segment[]): Segment => {
    const before = sources.flatMap((segment) =>
      showSegment(segment).words.map((word, at) => {
        const spelling = segment.words[at]?.text ?? '';
        spellings.set(word, spelling);
        return { stored: spelling, shown: word.text };
      }),
    );
    const inStored = wordsIn(typed, toStored);
    const texts = typed.words.map((word, at) => spellings.get(word) ?? inStored[at] ?? '');
    const pairs = matchWords(
      before.map(({ shown }) => coreOf(shown)),
      typed.words.map(({ text }) => coreOf(text)),
    );
    for (const [from, to] of pairs) {
      const [word, written] = [before[from], typed.words[to]];
      if (word !== undefined && written !== undefined && !spellings.has(written))
        texts[to] = keepSpelling(word, written.text) ?? texts[to] ?? '';
    }
    const own = sources.find(({ id }) => id === typed.id);
    const stored = respell(typed, texts, toStored, storeWhole);
    const isUntouched = own !== undefined && showSegment(own).text === typed.text;
    const made = isUntouched ? { ...stored, text: own.text } : stored;
    shownSegments.set(made, typed);
    return made;
  };
  /** What names that were typed in the letters of the view are shown as, by how they are stored. */
  const typedNames = new Map<string, string>();
  const showName = (stored: string) => typedNames.get(stored) ?? toShown(stored);
  const storeName = (typed: string): string => {
    const stored = toStored(typed);
    if (foreign.test(typed)) typedNames.delete(stored);
    else typedNames.set(stored, typed);
    return stored;
  };
  // The same list as long as it is the same, because much is rendered again with it.
  const shownSpeakers = new WeakMap<readonly Speaker[], readonly Speaker[]>();
  const showSpeakers = (stored: readonly Speaker[]): readonly Speaker[] => {
    const known = shownSpeakers.get(stored) ?? stored.map((speaker) => namedIn(speaker, showName));
    shownSpeakers.set(stored, known);
    return known;
  };
  const storeSpeakers = (typed: readonly Speaker[], stored: readonly Speaker[]): readonly Speaker[] => {
    const names = showSpeakers(stored).map(({ id, name }, at) => ({ id, shown: name, stored: stored[at]?.name }));
    return typed.map((speaker) => {
      const alike = names.filter(({ shown }) => shown === speaker.name);
      const known = alike.find(({ id }) => id === speaker.id) ?? alike[0];
      return namedIn(speaker, (name) => known?.stored ?? storeName(name));
    });
  };
  const foreign = script === 'cyrillic' ? /\p{Script=Latin}/u : /\p{Script=Cyrillic}/u;
  const show = (stored: Transcript): Transcript => {
    const known = shownTranscripts.get(stored) ?? {
      ...stored,
      speakers: showSpeakers(stored.speakers),
      segments: stored.segments.map(showSegment),
    };
    shownTranscripts.set(stored, known);
    if (stored !== lastShown) [lastShown, lastById] = [stored, null];
    return known;
  };
  return {
    showSegment,
    showWord: toShown,
    showName,
    storeName,
    show,
    settle(stored, segmentId) {
      const segment = stored.segments.find(({ id }) => id === segmentId);
      if (segment === undefined) return false;
      const shown = showSegment(segment);
      const inShown = wordsIn(segment, toShown);
      const texts = shown.words.map(({ text }, at) => (foreign.test(text) ? (inShown[at] ?? text) : text));
      if (texts.every((text, at) => text === shown.words[at]?.text)) return false;
      const settled = respell(
        shown,
        texts,
        (between) => between,
        (whole) => whole,
      );
      shownSegments.set(segment, settled);
      const segments = show(stored).segments.map((one) => (one.id === segmentId ? settled : one));
      shownTranscripts.set(stored, { ...show(stored), segments });
      return true;
    },
    store(stored, change) {
      const touched = new Set(change.flatMap(touchedBy));
      const sources = stored.segments.filter(({ id }) => touched.has(id));
      // Where segments are split, joined or deleted, the words of one may come from another.
      const isMoved = change.some(({ type }) => type === 'splice');
      const byId = new Map(sources.map((segment) => [segment.id, [segment]]));
      const storeOne = (typed: Segment) => storeSegment(typed, isMoved ? sources : (byId.get(typed.id) ?? []));
      return change.map((step): Step => {
        if (step.type === 'set') return { ...step, segments: step.segments.map(storeOne) };
        if (step.type === 'speakers') return { ...step, speakers: storeSpeakers(step.speakers, stored.speakers) };
        return step.type === 'splice' ? { ...step, inserted: step.inserted.map(storeOne) } : step;
      });
    },
  };
}

const isSameText = (one: Segment, other: Segment): boolean =>
  one.text === other.text &&
  one.words.length === other.words.length &&
  one.words.every(({ text }, at) => text === other.words[at]?.text);

const touchedBy = (step: Step): readonly string[] =>
  step.type === 'set' ? step.segments.map(({ id }) => id) : step.type === 'splice' ? step.removed : [];

const around = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;

/** A word without the punctuation around it; a word of nothing else stands for itself. */
const coreOf = (word: string): string => {
  const core = around.exec(word)?.[2] ?? '';
  return core === '' ? word : core;
};

/** The stored spelling with the punctuation that is written now; null where the two can't be told apart. */
function keepSpelling({ stored, shown }: { readonly stored: string; readonly shown: string }, written: string) {
  if (shown === written) return stored;
  const [, opening = '', , closing = ''] = around.exec(shown) ?? [];
  if (!stored.startsWith(opening) || !stored.endsWith(closing)) return null;
  const core = stored.slice(opening.length, stored.length - closing.length);
  const [, openingNow = '', , closingNow = ''] = around.exec(written) ?? [];
  return openingNow + core + closingNow;
}
