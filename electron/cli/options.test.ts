import { describe, expect, it } from 'vitest';
import { interfaceLanguages, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import { commandNames, readCommand, type CommandName } from './options.ts';
import { loadWords, terminalLanguage } from './reporter.ts';

describe('arguments', () => {
  it('invalid ones name their problem, and the problem has a text in every language', () => {
    const cases: readonly (readonly [readonly string[], string, string])[] = [
      [[], 'noCommand', ''],
      [['fly'], 'unknownCommand', 'fly'],
      [['transcribe'], 'noPaths', ''],
      [['transcribe', 'a'], 'noLanguage', ''],
      [['transcribe', 'a', '--language', 'de'], 'badLanguage', 'de'],
      [['transcribe', 'a', '--language', 'uz', '--concurrency', '9'], 'badConcurrency', '9'],
      [['transcribe', 'a', '--language', 'uz', '--frobnicate'], 'unknownOption', '--frobnicate'],
      [['transcribe', 'a', '--language'], 'unknownOption', '--language <value>'],
      [['speak', 'Salom'], 'noSpokenLanguage', ''],
      [['speak', 'Salom', '--language', 'Uzbek!'], 'badSpokenLanguage', 'Uzbek!'],
      [['speak', 'Salom', '--file', 'a', '--language', 'uz'], 'textAndFile', ''],
      [['speak', 'Salom', '--language', 'uz', '--voice', 'legacy:a', '--stream'], 'streamedLegacy', ''],
      [['isolate'], 'noPathsToClean', ''],
      [['ask', 'Kim?', '--max-tokens', '0'], 'badMaxTokens', '0'],
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

  it('the commands that pay are read with their defaults', () => {
    const defaults = { overwrites: false, sendsAgain: false, mode: 'service', isJson: false };
    expect(readCommand(['speak', 'Salom', 'dunyo', '--language', 'uz'])).toEqual({
      kind: 'speak',
      ...defaults,
      text: 'Salom dunyo',
      file: null,
      language: 'uz',
      voiceId: null,
      speed: 1,
      out: null,
      waitMs: 120_000,
      isStreamed: false,
    });
    expect(readCommand(['isolate', 'a.wav', '--format', 'WAV,wav,flac', '--restore', '--force'])).toEqual({
      kind: 'isolate',
      ...defaults,
      overwrites: true,
      paths: ['a.wav'],
      formats: ['wav', 'flac'],
      outDir: null,
      restoresSpeech: true,
      title: null,
      waitMs: 1_800_000,
    });
    expect(readCommand(['ask', '--file', '-', '--send-again', '--json'])).toEqual({
      kind: 'ask',
      ...defaults,
      sendsAgain: true,
      isJson: true,
      text: '',
      file: '-',
      model: null,
      about: [],
      attach: [],
      system: null,
      temperature: null,
      maxTokens: 1024,
      conversation: null,
    });
  });

  it('the help of a command names the options that it accepts and no other, in every language', () => {
    const named = (language: InterfaceLanguage, name: CommandName) =>
      new Set(
        loadWords(language)(`cli.help.${name}`)
          .match(/^ {2}--[a-z-]+/gm)
          ?.map((line) => line.trim()),
      );
    const all = new Set(commandNames.flatMap((name) => [...named('en', name)]));
    const isAccepted = (name: CommandName, option: string) => {
      const read = readCommand([name, option, 'x']);
      return !('problem' in read && read.problem === 'unknownOption');
    };
    // It is accepted with the other options of what costs, and there is no file to replace.
    const unnamed = new Set(['ask --force']);
    const variables = ['SERVICE_URL', 'API_KEY', 'ACCOUNT_TOKEN', 'LEGACY_KEY', 'DATA_DIR'].map((one) => `OVOZ_${one}`);
    for (const language of interfaceLanguages) {
      const words = loadWords(language);
      for (const name of [...commandNames, ...variables]) expect(words('cli.usage')).toContain(name);
      for (const name of commandNames) {
        const accepted = [...all].filter((option) => isAccepted(name, option) && !unnamed.has(`${name} ${option}`));
        expect([name, named(language, name)]).toEqual([name, new Set(accepted)]);
        expect(words(`cli.help.${name}`)).toContain(`npm run cli -- ${name}`);
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
