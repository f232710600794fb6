import { describe, expect, it } from 'vitest';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { readCommand } from './options.ts';
import { loadWords, terminalLanguage } from './words.ts';

describe('arguments', () => {
  it('read into a command with the defaults the help names', () => {
    expect(readCommand(['transcribe', 'a.wav', 'folder', '--language', 'ru'])).toEqual({
      kind: 'transcribe',
      paths: ['a.wav', 'folder'],
      language: 'ru',
      includeSpeakers: false,
      formats: ['txt'],
      outDir: null,
      concurrency: 2,
      waitMs: 60_000,
      sendsAgain: false,
      isPractice: false,
      isJson: false,
    });
    expect(
      readCommand([
        'transcribe',
        '--language=uz',
        '--speakers',
        '--format',
        'SRT, vtt,srt',
        '--out',
        'o',
        '--concurrency',
        '8',
        '--wait',
        '0',
        '--send-again',
        '--practice',
        '--json',
        'a',
      ]),
    ).toMatchObject({
      includeSpeakers: true,
      formats: ['srt', 'vtt'],
      outDir: 'o',
      concurrency: 8,
      waitMs: 0,
      sendsAgain: true,
      isPractice: true,
      isJson: true,
    });
    for (const args of [['--help'], ['-h'], ['help'], ['transcribe', '--help']])
      expect(readCommand(args)).toEqual({ kind: 'help' });
  });

  it('that are wrong name their problem, and the problem has words in every language', () => {
    const cases: readonly (readonly [readonly string[], string, string])[] = [
      [[], 'noCommand', ''],
      [['fly'], 'unknownCommand', 'fly'],
      [['transcribe'], 'noPaths', ''],
      [['transcribe', 'a'], 'noLanguage', ''],
      [['transcribe', 'a', '--language', 'de'], 'badLanguage', 'de'],
      [['transcribe', 'a', '--language', 'uz', '--format', 'txt,docx'], 'badFormat', 'docx'],
      [['transcribe', 'a', '--language', 'uz', '--concurrency', '9'], 'badConcurrency', '9'],
      [['transcribe', 'a', '--language', 'uz', '--concurrency', '0'], 'badConcurrency', '0'],
      [['transcribe', 'a', '--language', 'uz', '--wait', 'long'], 'badWait', 'long'],
      [['transcribe', 'a', '--language', 'uz', '--frobnicate'], 'unknownOption', '--frobnicate'],
      [['transcribe', 'a', '--language'], 'unknownOption', '--language <value>'],
    ];
    for (const [args, problem, word] of cases) {
      expect(readCommand(args)).toEqual({ kind: 'wrong', problem, word });
      for (const language of interfaceLanguages) {
        const text = loadWords(language)(`cli.problem.${problem}`, { word });
        expect(text).not.toContain('cli.problem');
        expect(text).not.toContain('{{');
        expect(text).toContain(word);
      }
    }
  });

  it('the help names every option in every language', () => {
    for (const language of interfaceLanguages) {
      const help = loadWords(language)('cli.usage');
      for (const option of [
        '--language',
        '--speakers',
        '--format',
        '--out',
        '--concurrency',
        '--wait',
        '--practice',
        '--json',
        '--help',
        'OVOZ_SERVICE_URL',
        'OVOZ_API_KEY',
        'OVOZ_DATA_DIR',
      ]) {
        expect(help).toContain(option);
      }
    }
  });

  it('the language of the terminal follows LC_ALL, then LC_MESSAGES, then LANG; English is the last resort', () => {
    expect(terminalLanguage({ LC_ALL: 'uz_UZ.UTF-8', LANG: 'ru_RU' })).toBe('uz');
    expect(terminalLanguage({ LC_ALL: '', LC_MESSAGES: 'ru_RU.UTF-8', LANG: 'en_US' })).toBe('ru');
    expect(terminalLanguage({ LANG: 'uz_UZ.UTF-8@cyrillic' })).toBe('uz-Cyrl');
    expect([terminalLanguage({ LANG: 'C.UTF-8' }), terminalLanguage({})]).toEqual(['en', 'en']);
  });
});
