import type { InterfaceLanguage } from '../languages.ts';

export const lineTasks = ['toUz', 'toRu', 'toEn', 'tidy'] as const;
export type LineTask = (typeof lineTasks)[number];

export const askTasks = ['question', 'summary', 'minutes', 'titles', ...lineTasks] as const;
export type AskTask = (typeof askTasks)[number];
export type TextTask = Exclude<AskTask, LineTask>;

export const isLineTask = (task: AskTask): task is LineTask => lineTasks.some((one) => one === task);

export const longestQuestion = 20_000;
/** How many files go with one question, and with all questions of a conversation (contract 8). */
export const attachedAtMost = { question: 4, conversation: 16 } as const;
export const mostAskedAbout = 100;

export const mostAnswerTokens: Readonly<Record<AskTask, number>> = {
  question: 2048,
  summary: 2048,
  minutes: 4096,
  titles: 512,
  toUz: 4096,
  toRu: 4096,
  toEn: 4096,
  tidy: 4096,
};

export const usualAnswerTokens = 400;

const languageNames: Readonly<Record<InterfaceLanguage, string>> = {
  en: 'English',
  ru: 'Russian',
  uz: 'Uzbek in Latin letters',
  'uz-Cyrl': 'Uzbek in Cyrillic letters',
};

const instructions: Readonly<Record<Exclude<TextTask, 'question'>, string>> = {
  summary:
    'Summarise the recordings: first two or three sentences that say what they are about, then a list of the main points in the order of the recording. Put the mark of its line after every point.',
  minutes:
    'Write the minutes of this meeting: who took part, what was discussed, a list "Decisions" and a list "Tasks" with who does what until when, as far as it was said. Put the mark of its line after every point. Write nothing that was not said.',
  titles:
    'Suggest five short titles for this recording, as a list, from the plainest to the liveliest. Put the mark of the line that each title rests on after it.',
};

export function taskInstruction(task: TextTask, question: string, language: InterfaceLanguage): string {
  if (task === 'question') return question;
  const addition = question.trim() === '' ? '' : `\nThe person adds: ${question}`;
  return `${instructions[task]} Write in ${languageNames[language]}.${addition}`;
}
