import { describe, expect, it } from 'vitest';
import { interfaceLanguages } from '../../shared/domain/languages.ts';
import { commandNames } from './command.ts';
import { readCommand } from './options.ts';
import { loadWords, terminalLanguage } from './words.ts';

describe('arguments', () => {
  it('read into a command with the defaults the help names', () => {
    expect(readCommand(['transcribe', 'a.wav', 'folder', '--language', 'ru'])).toEqual({
      kind: 'transcribe',
      paths: ['a.wav', 'folder'],
      language: 'ru',
      includeSpeakers: false,
      isLegacy: false,
      formats: ['txt'],
      outDir: null,
      concurrency: 2,
      waitMs: 60_000,
      sendsAgain: false,
      mode: 'service',
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
      mode: 'practice',
      isJson: true,
    });
    for (const args of [['--help'], ['-h'], ['help'], ['help', 'fly']])
      expect(readCommand(args)).toEqual({ kind: 'help', topic: null });
    for (const name of commandNames) {
      for (const args of [
        [name, '--help'],
        [name, '-h'],
        ['help', name],
      ])
        expect(readCommand(args)).toEqual({ kind: 'help', topic: name });
    }
  });

  it('invalid ones name their problem, and the problem has a text in every language', () => {
    const cases: readonly (readonly [readonly string[], string, string])[] = [
      [[], 'noCommand', ''],
      [['fly'], 'unknownCommand', 'fly'],
      [['transcribe'], 'noPaths', ''],
      [['transcribe', 'a'], 'noLanguage', ''],
      [['transcribe', 'a', '--language', 'de'], 'badLanguage', 'de'],
      [['transcribe', 'a', '--language', 'uz', '--format', 'txt,rtfx'], 'badFormat', 'rtfx'],
      [['transcribe', 'a', '--language', 'uz', '--concurrency', '9'], 'badConcurrency', '9'],
      [['transcribe', 'a', '--language', 'uz', '--concurrency', '0'], 'badConcurrency', '0'],
      [['transcribe', 'a', '--language', 'uz', '--wait', 'long'], 'badWait', 'long'],
      [['transcribe', 'a', '--language', 'uz', '--frobnicate'], 'unknownOption', '--frobnicate'],
      [['transcribe', 'a', '--language'], 'unknownOption', '--language <value>'],
      [['--json'], 'noCommand', ''],
      [['speak', 'Salom'], 'noSpokenLanguage', ''],
      [['speak', 'Salom', '--language', 'Uzbek!'], 'badSpokenLanguage', 'Uzbek!'],
      [['speak', '--language', 'uz'], 'noText', ''],
      [['speak', 'Salom', '--file', 'a', '--language', 'uz'], 'textAndFile', ''],
      [['speak', 'Salom', '--language', 'uz', '--speed', '3'], 'badSpeed', '3'],
      [['speak', 'Salom', '--language', 'uz', '--speed', ''], 'badSpeed', ''],
      [['speak', 'Salom', '--language', 'uz', '--speakers'], 'unknownOption', '--speakers'],
      [['speak', 'Salom', '--language', 'uz', '--voice', 'legacy:a', '--stream'], 'streamedLegacy', ''],
      [['isolate'], 'noPathsToClean', ''],
      [['isolate', 'a', '--format', 'mp3,aiff'], 'badSoundFormat', 'aiff'],
      [['isolate', 'a', '--wait', 'x'], 'badWait', 'x'],
      [['ask'], 'noText', ''],
      [['ask', 'Kim?', '--max-tokens', '0'], 'badMaxTokens', '0'],
      [['ask', 'Kim?', '--temperature', '3'], 'badTemperature', '3'],
      [['usage', '--days', '-'], 'badDays', '-'],
      [['voices', 'more'], 'unexpected', 'more'],
      [['doctor', '--force'], 'unknownOption', '--force'],
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

  it('the help names every command, and each its own options, in every language', () => {
    const own = {
      transcribe: [
        '--language',
        '--speakers',
        '--legacy',
        '--format',
        '--out',
        '--concurrency',
        '--wait',
        '--send-again',
        '--practice',
        '--local',
      ],
      export: ['--format', '--profile', '--options', '--out', '--name', '--layout', '--all', '--force', '--practice'],
      speak: [
        '--language',
        '--file',
        '--voice',
        '--speed',
        '--out',
        '--force',
        '--wait',
        '--send-again',
        '--practice',
        '--local',
        '--stream',
      ],
      isolate: [
        '--title',
        '--format',
        '--out',
        '--restore',
        '--force',
        '--wait',
        '--send-again',
        '--practice',
        '--local',
      ],
      dictate: ['--input', '--language', '--practice', '--local', '--wait'],
      ask: [
        '--about',
        '--attach',
        '--conversation',
        '--file',
        '--model',
        '--system',
        '--temperature',
        '--max-tokens',
        '--send-again',
        '--practice',
      ],
      voices: ['--language', '--mine', '--legacy', '--practice'],
      models: ['--practice'],
      history: ['--limit', '--practice'],
      request: ['--practice'],
      mcp: ['--practice', '--local'],
      usage: ['--account', '--days', '--practice'],
      requests: ['--days', '--status', '--failed', '--method', '--route', '--key', '--search', '--limit', '--practice'],
      keys: ['--allow', '--allow-all', '--expires', '--credits', '--ip', '--practice'],
      webhooks: ['--event', '--url', '--practice'],
      local: [],
      doctor: [],
      diagnostics: ['--out', '--force'],
    } as const;
    for (const language of interfaceLanguages) {
      const words = loadWords(language);
      for (const name of [
        ...commandNames,
        'OVOZ_SERVICE_URL',
        'OVOZ_API_KEY',
        'OVOZ_ACCOUNT_TOKEN',
        'OVOZ_LEGACY_KEY',
        'OVOZ_DATA_DIR',
      ])
        expect(words('cli.usage')).toContain(name);
      for (const name of commandNames) {
        const help = words(`cli.help.${name}`);
        for (const option of ['--json', '--help', ...own[name]]) expect(help).toContain(`  ${option}`);
        expect(help).toContain(`npm run cli -- ${name}`);
        expect(new Set(help.match(/^ {2}--[a-z-]+/gm)).size).toBe(own[name].length + 2);
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
