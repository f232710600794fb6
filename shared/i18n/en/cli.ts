/** The terminal: `npm run cli -- transcribe ...`. */
export const cli = {
  speaker: 'Speaker {{number}}',
  usage: `Turns recordings into text from a terminal.

Usage:
  npm run cli -- transcribe PATHS... --language uz|ru|en [options]

PATHS are recordings or folders; folders are searched to the bottom.

Options:
  --language uz|ru|en      the language spoken (required)
  --speakers               tell speakers apart
  --format LIST            txt, srt, vtt, json; several with commas (default: txt)
  --out DIR                folder for the texts (default: beside each recording)
  --concurrency N          uploads at once, 1 to 8 (default: 2)
  --wait SECONDS           how long to wait for a network that is gone (default: 60)
  --send-again             send again what the service lost or could not do; may be charged again
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

Environment:
  OVOZ_SERVICE_URL         address of the service (else the one saved by the app)
  OVOZ_API_KEY             API key (else the one in the system keychain)
  OVOZ_DATA_DIR            folder of the library (else the app's own)

Give the same command again after a stop: unfinished recordings go on where they were, finished ones are not sent
again, and nothing is charged twice. A file that is there already is never overwritten by another text; the new one gets a number.

Exit code: 0 all done, 1 some failed or the run had to stop, 2 wrong use or no address or key, 130 stopped by Ctrl+C.
In the summary "failed" counts recordings without a text, "skipped" counts files found in folders that are not recordings.`,
  hint: 'For help: npm run cli -- --help',
  problem: {
    noCommand: 'Say what to do: transcribe.',
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
};
