import { cliHelp } from './cli-help.ts';
import { cliWords } from './cli-words.ts';

/** The terminal: `npm run cli -- transcribe ...`. */
export const cli = {
  speaker: 'Speaker {{number}}',
  usage: `Works with recordings, speech and questions from a terminal.

Usage:
  npm run cli -- COMMAND [options]

Commands:
  transcribe    recordings into text
  speak         text into speech
  isolate       takes the noise out of recordings
  ask           asks a language model
  voices        lists the voices
  models        lists the models and their prices
  usage         what was paid for from this computer, by day
  doctor        looks at address, key, permissions, clock, keychain and folder, and says what to do
  diagnostics   writes a report for support, without keys, texts or sound

For the options of a command: npm run cli -- help COMMAND

Environment:
  OVOZ_SERVICE_URL         address of the service (else the one saved by the app)
  OVOZ_API_KEY             API key (else the one in the system keychain)
  OVOZ_DATA_DIR            folder of the library (else the app's own)

Exit code: 0 all done, 1 some failed or the run had to stop, 2 wrong use or no address or key, 130 stopped by Ctrl+C.`,
  help: cliHelp,
  hint: 'For help: npm run cli -- --help',
  problem: {
    textAndFile: 'Give the text in the command or as a file, not both.',
    noText: 'There is no text. Write it in quotes, or name a file: --file FILE (- for standard input).',
    textTooLong: 'The text is longer than 1 MiB.',
    noSpokenLanguage: 'Say which language the text is in: --language uz, ru or en.',
    badSpokenLanguage: 'A language is a code such as uz, ru or en, not "{{word}}".',
    badSpeed: 'The speed is a number from 0.5 to 2, not "{{word}}".',
    noPathsToClean: 'Say which recordings to clean.',
    badSoundFormat: 'The formats are mp3, wav, flac, ogg and original, not "{{word}}".',
    badMaxTokens: 'The longest answer is a whole number of tokens, not "{{word}}".',
    badDays: 'The days are a whole number, not "{{word}}".',
    unexpected: 'This command takes no "{{word}}".',
    badCorrections: 'The file corrections.json can’t be used, so nothing was sent:',
    noCommand: 'Say what to do: transcribe, speak, isolate, ask, voices, models, usage, doctor or diagnostics.',
    unknownCommand: 'There is no command "{{word}}".',
    unknownOption: 'This option is not known or has no value: {{word}}',
    noPaths: 'Say which recordings or folders to transcribe.',
    noLanguage: 'Say which language is spoken: --language uz, ru or en.',
    badLanguage: 'The language is uz, ru or en, not "{{word}}".',
    badFormat: 'The formats are txt, srt, vtt and json, not "{{word}}".',
    badConcurrency: 'Uploads at once are a number from 1 to 8, not "{{word}}".',
    badWait: 'The time to wait is a whole number of seconds, not "{{word}}".',
    noAddress: 'There is no service address. Set OVOZ_SERVICE_URL, or enter the address in the app once.',
    badAddress: "The service address can't be used: it must begin with https://.",
    noKey:
      'There is no API key. Set OVOZ_API_KEY, or save the key in the app once. To try without a key, add --practice.',
    keychainShut:
      'The system keychain did not give the API key: it is locked, does not allow it, or does not answer. Unlock it and try again, or set OVOZ_API_KEY.',
    badKey: 'The API key holds spaces, line ends or letters that no key has. Copy it again, whole and alone.',
  },
  done: '{{file}}: done',
  failed: '{{file}}: {{message}}',
  sendAgain: 'To send it again, which may be charged again, give the command with --send-again.',
  rawAnswer: 'The answer is saved as it came: {{path}}',
  nothingFound: 'No recordings were found there.',
  waits: 'Waiting. {{message}} The run ends after {{seconds}} s without progress (--wait).',
  goesOn: 'The service answers again; the run goes on.',
  stopped: 'The run has stopped: {{message}}',
  notFinished_one:
    '{{count}} recording is not finished and is kept. Give the same command again to go on; nothing is charged twice.',
  notFinished_other:
    '{{count}} recordings are not finished and are kept. Give the same command again to go on; nothing is charged twice.',
  interrupted: 'Stopped by you.',
  cancelled: 'This recording was cancelled.',
  restored: 'Note: {{message}}',
  summary: 'Done: {{done}}. Failed: {{failed}}. Skipped: {{skipped}}.',
  progress: '{{done}} of {{total}} done',
  uploading: 'sending {{file}} {{percent}}',
  atService_one: '{{count}} at the service',
  atService_other: '{{count}} at the service',
  ...cliWords,
};
