/** What each command of the terminal says of itself. */
export const cliHelp = {
  transcribe: `Turns recordings into text from a terminal.

Usage:
  npm run cli -- transcribe PATHS... --language uz|ru|en [options]

PATHS are recordings or folders; folders are searched to the bottom.

Options:
  --language uz|ru|en      the language spoken (required)
  --speakers               tell speakers apart
  --format LIST            txt, srt, vtt, json; several with commas (default: txt)
  --out DIR                folder for the texts (default: beside each recording)
  --concurrency N          uploads at once, 1 to 8 (default: 2)
  --wait SECONDS           how long to go on without progress while network or service are away (default: 60)
  --send-again             send again what the service lost or could not do; may be charged again
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

Give the same command again after a stop: unfinished recordings go on where they were, finished ones are not sent
again, and nothing is charged twice. A file that is there already is never overwritten by another text; the new one gets a number.

Exit code: 0 all done, 1 some failed or the run had to stop, 2 wrong use or no address or key, 75 network or service stayed away (the same command may go
through later), 130 stopped by Ctrl+C.
In the summary "failed" counts recordings without a text, "skipped" counts files found in folders that are not recordings.`,
  speak: `Turns text into speech (WAV).

Usage:
  npm run cli -- speak TEXT --language uz|ru|en [options]
  npm run cli -- speak --file FILE --language uz|ru|en [options]

Options:
  --language CODE          the language of the text (required)
  --file FILE              the text of a file; - is standard input
  --voice ID               a voice of "voices" (default: the first one of the language)
  --speed N                0.5 to 2 (default: 1)
  --out FILE               where the sound goes (default: speech.wav in this folder, numbered)
  --force                  replace a file that is there already
  --wait SECONDS           how long to wait while the service is making it (default: 120)
  --send-again             a new request where an earlier one has an unknown end; may be charged again
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

The same command after a stop or a crash goes on with the same request and is not charged twice.`,
  isolate: `Takes the noise out of recordings.

Usage:
  npm run cli -- isolate FILES... [options]

Options:
  --format LIST            mp3, wav, flac, ogg, original; several with commas (default: mp3)
  --out DIR                folder for the sound (default: beside each recording)
  --restore                restore speech too
  --force                  replace files that are there already
  --wait SECONDS           how long to wait for the service (default: 1800)
  --send-again             send anew what was sent before; may be charged again
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

A recording that was sent once is known by its content: the same command fetches its result again and is not charged twice.`,
  ask: `Asks a language model and shows the answer as it comes.

Usage:
  npm run cli -- ask QUESTION [options]
  npm run cli -- ask --file FILE [options]

Options:
  --file FILE              the question of a file; - is standard input
  --model ID               a model of "models" (default: the first one)
  --system TEXT            how the model should behave
  --max-tokens N           longest answer (default: 1024)
  --send-again             ask anew what was asked before; charged again
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

The same question after a stop or a crash is not asked a second time by itself: the service is asked what became of it.`,
  voices: `Lists the voices of the service; free.

Usage:
  npm run cli -- voices [options]

Options:
  --language CODE          only those of a language
  --mine                   only your own cloned voices
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text`,
  models: `Lists the language models and their prices; free.

Usage:
  npm run cli -- models [options]

Options:
  --practice               practice mode: nothing leaves this computer, nothing is charged
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text`,
  usage: `Shows what was paid for from this computer, by day and product. Nothing is asked of the service.

Usage:
  npm run cli -- usage [options]

Options:
  --days N                 how far back (default: 30)
  --practice               what practice mode would have cost
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text`,
  doctor: `Looks at address, key, permissions, clock, keychain, data folder and corrections; says what works, what does not, and what
to do. Asks the service by free reads only.

Usage:
  npm run cli -- doctor [options]

Options:
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text

Exit code: 0 when nothing is wrong, 1 when something is.`,
  diagnostics: `Writes a report for support: versions, settings, states and errors of jobs, what was paid for, the last lines of the log.
It holds no key, no text, no sound, no address, no name of a file and no folder. Look at it before you send it.

Usage:
  npm run cli -- diagnostics [options]

Options:
  --out FILE               where it goes (default: a new file in this folder)
  --force                  replace a file that is there already
  --json                   one JSON object a line on standard output, and nothing else there
  --help                   this text`,
};
