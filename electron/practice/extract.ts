import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { textToCleanUp } from '../../shared/domain/dictation/clean-up.ts';
import { foldText } from '../../shared/domain/text/fold-text.ts';
import { tidyText } from '../../shared/domain/dictation/tidy-text.ts';

/** Words, numbers and signs: close enough to real tokens, and deterministic. */
const tokens = /\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu;
export const tokensOf = (text: string): number => text.match(tokens)?.length ?? 0;

const words = (text: string): string[] => foldText(text).text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Which of the three languages a text is most likely in; only the wording of the notice depends on it. */
function languageOf(text: string, otherwise: SpeechLanguage = 'en'): SpeechLanguage {
  if (/[а-яё]/i.test(text)) return 'ru';
  if (/\b(?:the|what|who|when|where|which|why|how|is|are|was|were|did|does|of)\b/i.test(text)) return 'en';
  return /[og][ʻ‘’'`]|\b(?:va|bilan|uchun|nima\w*|qa\w+|necha\w*|haqida|bu|kim(?:lar|ning|ga|ni|dan)?)\b/i.test(text)
    ? 'uz'
    : otherwise;
}

const notices = {
  en: {
    quotes: '[No AI in practice mode: these are the sentences of your text that fit the question.]',
    beginning:
      '[No AI in practice mode: no sentence shares a word with the question, so this is the beginning of the text.]',
    nothing: '[No AI in practice mode, and there is no text to quote.]',
    lines: '[No AI in practice mode: the lines come back as they were.]',
    unseen: '[Practice mode does not read files; it sees nothing in',
  },
  ru: {
    quotes: '[В учебном режиме ИИ не работает: здесь предложения вашего текста, подходящие к вопросу.]',
    beginning:
      '[В учебном режиме ИИ не работает: ни в одном предложении нет слов вопроса, поэтому здесь начало текста.]',
    nothing: '[В учебном режиме ИИ не работает, а текста для цитат нет.]',
    lines: '[В учебном режиме ИИ не работает: строки возвращаются такими, какими были.]',
    unseen: '[Учебный режим не читает файлы; он ничего не видит в',
  },
  uz: {
    quotes: '[Mashq rejimida sunʼiy intellekt ishlamaydi: bular matningizdagi savolga mos gaplar.]',
    beginning:
      '[Mashq rejimida sunʼiy intellekt ishlamaydi: hech bir gapda savoldagi soʻzlar yoʻq, shuning uchun bu matn boshi.]',
    nothing: '[Mashq rejimida sunʼiy intellekt ishlamaydi, keltirish uchun matn ham yoʻq.]',
    lines: '[Mashq rejimida sunʼiy intellekt ishlamaydi: satrlar boricha qaytadi.]',
    unseen: '[Mashq rejimi fayllarni oʻqimaydi; quyidagilarni koʻrmaydi:',
  },
} as const satisfies Readonly<Record<SpeechLanguage, object>>;

const targets = { Uzbek: 'uz', Russian: 'ru', English: 'en' } as const;

/** The language that an instruction of the app asks for, or the one of the words. */
function languageAsked(instruction: string, words: string, otherwise?: SpeechLanguage): SpeechLanguage {
  const [, target] = /\b(?:into|Write in) (Uzbek|Russian|English)\b/u.exec(instruction) ?? [];
  return target === undefined ? languageOf(words, otherwise) : targets[target as keyof typeof targets];
}

/** A transcript line begins with its mark; each of its sentences has the mark at its end, as sources are usually cited. */
const sentencesOf = (text: string): string[] =>
  text.split(/\n+/).flatMap((line) => {
    const [, mark, said] = /^(\[s\d+\]) \d\d:\d\d:\d\d[^:]*: (.+)$/u.exec(line) ?? [];
    return [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(said ?? line)]
      .map(({ segment }) => segment.trim())
      .filter((sentence) => /\p{L}/u.test(sentence))
      .map((sentence) => (mark === undefined ? sentence : `${sentence} ${mark}`));
  });

/** Words that occur in few sentences weigh more than words that occur in all. */
function scoresOf(sentences: readonly string[], question: string): number[] {
  // Endings of words differ: a question about "sirni" is one about "sir" and "sirlangan" too.
  const stems = (text: string) => words(text).map((word) => word.slice(0, 5));
  const bags = sentences.map((sentence) => new Set(stems(sentence)));
  const weight = (word: string): number =>
    Math.log(1 + sentences.length / (1 + bags.filter((bag) => bag.has(word)).length));
  const asked = [...new Set(stems(question))].filter((word) => word.length > 2);
  return bags.map(
    (bag) => asked.reduce((sum, word) => sum + (bag.has(word) ? weight(word) : 0), 0) / (1 + bag.size * 0.02),
  );
}

interface Extract {
  readonly text: string;
  /** `length`: there was more to quote than fits. */
  readonly finish: 'stop' | 'length';
}

/**
 * Builds an answer only out of what was sent: the sentences that share most with the last paragraph of the question, in
 * their order, up to `maxTokens`; lines that are to be given back one by one come back as they were, and a dictated text
 * comes back without its fillers. Otherwise it begins by stating that it is practice, and names the files, of which it
 * reads nothing. The question is the last of the texts.
 */
export function extractAnswer(texts: readonly string[], unseen: readonly string[], maxTokens: number): Extract {
  const last = texts.at(-1) ?? '';
  const dictated = textToCleanUp(last);
  if (dictated !== null)
    return { text: cutTokens(tidyText(dictated, languageOf(dictated)), maxTokens), finish: 'stop' };
  const [, lines] = /^BEGIN LINES\n(.*)\nEND LINES\n/su.exec(last) ?? [];
  if (lines !== undefined) {
    // The answer is in the language that is asked for, and so is what is said about it.
    const given = `${notices[languageAsked(last, lines)].lines}\n${lines}`;
    const text = cutTokens(given, maxTokens);
    return { text, finish: text === given ? 'stop' : 'length' };
  }
  const paragraphs = last.split(/\n\s*\n/).filter((part) => part.trim() !== '');
  const question = paragraphs.at(-1) ?? '';
  const all = [...texts.slice(0, -1), ...paragraphs.slice(0, -1)].flatMap(sentencesOf);
  const marked = all.filter((sentence) => /\[s\d+\]$/u.test(sentence));
  const sentences = marked.length === 0 ? all : marked;
  // A few words without a sign of their language are most likely in that of the text.
  const notice = notices[languageAsked(question, question, languageOf(sentences.join(' ')))];
  const scores = scoresOf(sentences, question);
  const isFound = scores.some((score) => score > 0);
  const reason = isFound ? notice.quotes : notice.beginning;
  const opening = [
    sentences.length === 0 ? notice.nothing : reason,
    ...(unseen.length === 0 ? [] : [`${notice.unseen} ${unseen.join(', ')}]`]),
  ];
  const fitting = sentences.map((_, at) => at).filter((at) => !isFound || (scores[at] ?? 0) > 0);
  const ranked = fitting.toSorted((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0));
  const wanted = ranked.slice(0, Math.max(3, Math.ceil(sentences.length / 5)));
  let left = maxTokens - tokensOf(opening.join(' '));
  const chosen: number[] = [];
  for (const at of wanted) {
    const cost = tokensOf(sentences[at] ?? '');
    if (cost > left) continue;
    left -= cost;
    chosen.push(at);
  }
  const quoted = chosen.toSorted((one, other) => one - other).map((at) => sentences[at]);
  const text = [...opening, ...quoted].join('\n');
  if (tokensOf(text) <= maxTokens) return { text, finish: chosen.length < wanted.length ? 'length' : 'stop' };
  return { text: cutTokens(text, maxTokens), finish: 'length' };
}

function cutTokens(text: string, most: number): string {
  let count = 0;
  for (const match of text.matchAll(tokens)) {
    count += 1;
    if (count > most) return text.slice(0, match.index).trimEnd();
  }
  return text;
}
