import type { SpeechLanguage } from '../languages.ts';
import type { CleanUp } from './clean-up.ts';
import { dictationRate } from './phrase-cutter.ts';
import { joinPhrases, writeSpoken } from './spoken-commands.ts';
import type { Replacement } from './replacement-list.ts';
import { tidyText } from './tidy-text.ts';
import { isUnwritten, textOf, type Phrase, type PhraseState } from './take.ts';

export interface WritingRules {
  readonly replacements: readonly Replacement[];
  readonly hasCommands: boolean;
}

/** `isArriving`: a model still writes; `isChanged`: differs from the user's own words; `isShown`: and is shown. */
export interface WrittenCleanUp extends CleanUp {
  readonly isArriving: boolean;
  readonly isChanged: boolean;
  readonly isShown: boolean;
}

export interface WrittenPhrase {
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly spokenAtMs: number;
  readonly language: SpeechLanguage;
  readonly state: PhraseState;
  /** Its written form; empty without a text, and for a phrase that a spoken command took back. */
  readonly text: string;
  readonly recognised: string;
  readonly raw: string;
  readonly cleanUp: WrittenCleanUp | null;
  readonly isEdited: boolean;
  readonly used: readonly string[];
  readonly firstTry: { readonly language: SpeechLanguage; readonly text: string } | null;
  readonly isTakenBack: boolean;
  /** How often it was sent without an answer: each time may be charged. */
  readonly unanswered: number;
  readonly failure: { readonly row: string; readonly code: string } | null;
  readonly deliveredTo: string | null;
}

export const msOfSamples = (samples: number): number => Math.round((samples * 1000) / dictationRate);

/** When each stretch of a take began: the take itself, and each time the microphone was switched on again. */
export type Stretches = readonly { readonly from: number; readonly atMs: number }[];

const noClock: Stretches = [{ from: 0, atMs: 0 }];

export function writePhrases(
  phrases: readonly Phrase[],
  rules: WritingRules,
  stretches: Stretches = noClock,
  isArriving: (id: number) => boolean = () => false,
): readonly WrittenPhrase[] {
  const written: WrittenPhrase[] = [];
  for (const phrase of phrases) {
    const stretch = stretches.findLast(({ from }) => from <= phrase.from) ?? { from: 0, atMs: 0 };
    const recognised = phrase.state === 'text' || phrase.texts.length > 0 ? textOf(phrase) : '';
    const language = phrase.texts.at(-1)?.language ?? phrase.language;
    const { text: raw, used, scratchesPrevious } = writeSpoken(recognised, { ...rules, language });
    if (scratchesPrevious) takeBackLast(written);
    const before = written.findLast(({ text, isTakenBack }) => text !== '' && !isTakenBack)?.text ?? '';
    const cleaned = cleanedOf(phrase, raw, language, before);
    const text = cleaned === null || phrase.showsRaw ? raw : cleaned;
    const [first] = phrase.texts;
    written.push({
      id: phrase.id,
      startMs: msOfSamples(phrase.from),
      endMs: phrase.to === null ? null : msOfSamples(phrase.to),
      spokenAtMs: stretch.atMs + msOfSamples(phrase.from - stretch.from),
      language: phrase.language,
      state: phrase.state,
      text: phrase.edited ?? text,
      recognised,
      raw,
      cleanUp:
        phrase.cleanUp === null || raw === ''
          ? null
          : {
              ...phrase.cleanUp,
              // The app quit while it was on its way.
              fault: isUnwritten(phrase) && !isArriving(phrase.id) ? 'failed' : phrase.cleanUp.fault,
              isArriving: isArriving(phrase.id),
              isChanged: cleaned !== null && cleaned !== raw,
              isShown: text !== raw,
            },
      isEdited: phrase.edited !== null,
      used: phrase.edited === null ? used : [],
      firstTry:
        first === undefined || phrase.texts.length === 1
          ? null
          : { language: first.language, text: first.received.text.trim() },
      isTakenBack: false,
      unanswered: phrase.unanswered,
      failure: phrase.failure,
      deliveredTo: phrase.deliveredTo,
    });
  }
  return written;
}

function cleanedOf(phrase: Phrase, raw: string, language: SpeechLanguage, before: string): string | null {
  if (phrase.cleanUp === null || raw === '') return null;
  if (phrase.cleanUp.style !== 'tidy') return phrase.cleanUp.written;
  const begins = before === '' || /[.!?…\n]["”»)]*$/u.test(before);
  const last = tidied.get(phrase);
  if (last?.raw === raw && last.begins === begins) return last.text;
  const text = tidyText(raw, language, begins);
  tidied.set(phrase, { raw, begins, text });
  return text;
}
/** A take is written down at each of its events; the phrases that did not change are not tidied again. */
const tidied = new WeakMap<Phrase, { readonly raw: string; readonly begins: boolean; readonly text: string }>();

function takeBackLast(written: WrittenPhrase[]): void {
  const at = written.findLastIndex(({ text, isTakenBack }) => text !== '' && !isTakenBack);
  const last = written[at];
  if (last !== undefined) written[at] = { ...last, isTakenBack: true };
}

/** The phrases without silence that went on where one before it ended: it belongs to that one, and is none by itself. */
export const withoutSilentRests = (phrases: readonly WrittenPhrase[]): readonly WrittenPhrase[] =>
  phrases.filter((phrase, at) => {
    const before = phrases[at - 1];
    const goesOn =
      before !== undefined &&
      phrase.startMs === before.endMs &&
      phrase.spokenAtMs - before.spokenAtMs === phrase.startMs - before.startMs;
    return phrase.state !== 'silent' || !goesOn;
  });

export const textOfPhrases = (phrases: readonly WrittenPhrase[]): string =>
  phrases
    .filter(({ state, isTakenBack }) => state === 'text' && !isTakenBack)
    .reduce((text, phrase) => joinPhrases(text, phrase.text), '');
