import type { SpeechLanguage } from '../../shared/domain/languages.ts';

/** Times in milliseconds from the beginning of the audio; `confidence` from 0 to 1. */
export interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly confidence: number;
}

/** One step of the network is four frames of 10 ms. */
const stepMs = 40;
/** The last letter of a word is heard before it ends. */
const releaseMs = 60;

/** `logProbs`: a value for each token in each step. `pausesMs`: silences in which no space was heard. */
export function greedyWords(
  logProbs: Float32Array,
  { tokens, blank }: Vocabulary,
  allowed: Uint8Array,
  pausesMs: readonly number[] = [],
): readonly HeardWord[] {
  const words: HeardWord[] = [];
  let open: { text: string; first: number; last: number; sum: number; count: number } | null = null;
  const close = (): void => {
    if (open !== null && open.text !== '')
      words.push({
        text: open.text,
        startMs: open.first * stepMs,
        endMs: (open.last + 1) * stepMs + releaseMs,
        confidence: open.sum / open.count,
      });
    open = null;
  };
  const isPauseBetween = (first: number, last: number): boolean =>
    pausesMs.some((pauseMs) => pauseMs > (first + 1) * stepMs && pauseMs < last * stepMs);
  let before = blank;
  for (let step = 0; step * tokens.length < logProbs.length; step += 1) {
    const row = step * tokens.length;
    let best = blank;
    for (let at = 0; at < tokens.length; at += 1)
      if (allowed[at] === 1 && (logProbs[row + at] ?? -Infinity) > (logProbs[row + best] ?? -Infinity)) best = at;
    const isRepeated = best === before;
    before = best;
    if (best === blank) continue;
    if (isRepeated) {
      if (open !== null) open.last = step;
      continue;
    }
    const token = tokens[best] ?? '';
    if (token.startsWith(' ') || (open !== null && isPauseBetween(open.last, step))) close();
    const letters = token.trim();
    if (letters === '') continue;
    open ??= { text: '', first: step, last: step, sum: 0, count: 0 };
    open.text += letters;
    open.last = step;
    open.sum += Math.exp(logProbs[row + best] ?? -Infinity);
    open.count += 1;
  }
  close();
  return words.map((word, at) => ({ ...word, endMs: Math.min(word.endMs, words[at + 1]?.startMs ?? Infinity) }));
}

/** A first word this much later than its speech was not heard from its beginning. */
const mostLagMs = 240;

/** A network hears a letter a little after it begins, which shows at the first words after silences. */
export function withoutLag(words: readonly HeardWord[], onsetsMs: readonly number[]): readonly HeardWord[] {
  const lags = onsetsMs
    .flatMap((onsetMs, at) => {
      const nextMs = onsetsMs[at + 1] ?? Infinity;
      const first = words.find(({ startMs, endMs }) => endMs > onsetMs && startMs < nextMs);
      return first === undefined ? [] : [first.startMs - onsetMs];
    })
    .filter((lagMs) => lagMs > 0 && lagMs <= mostLagMs)
    .toSorted((a, b) => a - b);
  const lagMs = Math.round(lags[Math.floor(lags.length / 2)] ?? 0);
  return words.map((word) => ({
    ...word,
    startMs: Math.max(0, word.startMs - lagMs),
    endMs: Math.max(0, word.endMs - lagMs),
  }));
}

/** Tokens in the order of their classes, with a space for `▁`, and the class that means none. */
export interface Vocabulary {
  readonly tokens: readonly string[];
  readonly blank: number;
}

export function readVocabulary(text: string): Vocabulary | null {
  const tokens: string[] = [];
  let blank: number | null = null;
  for (const line of text.split(/\r?\n/u).filter((one) => one.trim() !== '')) {
    const [, token = '', at] = /^(.+?)[ \t]+(\d{1,5})$/u.exec(line) ?? [];
    if (token === '' || Number(at) !== tokens.length) return null;
    if (token === '<blk>') blank = tokens.length;
    tokens.push(token === '<blk>' ? '' : token.replaceAll('▁', ' '));
  }
  return blank === null || tokens.length < 2 ? null : { tokens, blank };
}

const written: Readonly<Record<SpeechLanguage, RegExp>> = {
  uz: /^[a-z' ]$/u,
  en: /^[a-z' ]$/u,
  ru: /^[а-яё ]$/u,
};

/** Only a network that writes single letters of several alphabets is held to those of the language. */
export function allowedClasses({ tokens, blank }: Vocabulary, language: SpeechLanguage): Uint8Array {
  const isOfLetters = tokens.every((token) => token.length <= 1 || token.startsWith('<'));
  return Uint8Array.from(tokens, (token, at) =>
    at === blank || (isOfLetters ? written[language].test(token) : !token.startsWith('<')) ? 1 : 0,
  );
}
