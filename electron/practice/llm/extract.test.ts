import { describe, expect, it } from 'vitest';
import { taskInstruction } from '../../../shared/domain/assistant/ask-tasks.ts';
import { extractAnswer } from './extract.ts';
import { tokensOf } from './models.ts';

const text = [
  'The meeting began at nine.',
  'Anvar spoke about the budget of the new school.',
  'Lunch was late.',
  'The budget will be decided in March.',
  'Somebody laughed.',
  'The weather was fine.',
  'The doors stayed open.',
].join(' ');

const ask = (...texts: readonly string[]) => ({ texts, documents: [], unseen: [] });

describe('an answer of practice mode', () => {
  it('quotes the sentences that fit, in their order, and says that it is practice', () => {
    const { text: answer, finish } = extractAnswer(ask(`${text}\n\nWhat was said about the budget?`), 200);
    const [notice, ...quoted] = answer.split('\n');
    expect(notice).toMatch(/^\[No AI in practice mode/);
    expect(quoted).toContain('Anvar spoke about the budget of the new school.');
    expect(quoted).toContain('The budget will be decided in March.');
    for (const sentence of quoted) expect(text).toContain(sentence);
    expect(quoted.map((sentence) => text.indexOf(sentence))).toEqual(
      quoted.map((sentence) => text.indexOf(sentence)).toSorted((left, right) => left - right),
    );
    expect(finish).toBe('stop');
  });

  it('quotes an attached file beside the transcript that was chosen', () => {
    const lines = ['[s1] 00:00:01 Anvar: The budget was decided.', '[s2] 00:00:05 Anvar: The budget is small.'];
    const texts = [`BEGIN TRANSCRIPT\n${lines.join('\n')}\nEND TRANSCRIPT\n\nWhat about the budget?`];
    const documents = ['The kiln is from Rishton.\nThe roof costs nine thousand.'];
    const { text: answer } = extractAnswer({ texts, documents, unseen: [] }, 200);
    expect(answer).toContain('The budget was decided. [s1]');
    expect(answer).toMatch(/Rishton|nine thousand/);
    expect(answer).not.toContain('TRANSCRIPT');
  });

  it.each([
    ['Что решили о бюджете?', 'учебном режиме'],
    ['Byudjet haqida nima deyildi?', 'Mashq rejimi'],
    ['What was decided?', 'practice mode'],
  ])('replies to %s in its language', (question, words) => {
    expect(extractAnswer(ask(question), 100).text).toContain(words);
    expect(extractAnswer({ ...ask(question), unseen: ['rasm.png', 'xat.pdf'] }, 100).text.split('\n')[1]).toMatch(
      /^\[.+ rasm\.png, xat\.pdf\]$/,
    );
  });

  it.each([
    ['uz', 'Mashq rejimi'],
    ['uz-Cyrl', 'Mashq rejimi'],
    ['ru', 'учебном режиме'],
    ['en', 'practice mode'],
  ] as const)('to a ready-made task is in the language that the app asks for: %s', (language, words) => {
    expect(extractAnswer(ask(`${text}\n\n${taskInstruction('summary', '', language)}`), 200).text).toContain(words);
  });

  it.each([1, 5, 20, 40])('has at most %i tokens', (most) => {
    const { text: answer, finish } = extractAnswer(ask(text, 'What about the budget?'), most);
    expect(tokensOf(answer)).toBeLessThanOrEqual(most);
    if (most < 20) expect(finish).toBe('length');
  });
});
