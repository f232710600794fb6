import enAccount from './en/account.json' with { type: 'json' };
import ruAccount from './ru/account.json' with { type: 'json' };
import uzAccount from './uz/account.json' with { type: 'json' };
import enAsk from './en/ask.json' with { type: 'json' };
import ruAsk from './ru/ask.json' with { type: 'json' };
import uzAsk from './uz/ask.json' with { type: 'json' };
import enCleaning from './en/cleaning.json' with { type: 'json' };
import ruCleaning from './ru/cleaning.json' with { type: 'json' };
import uzCleaning from './uz/cleaning.json' with { type: 'json' };
import enCli from './en/cli.json' with { type: 'json' };
import ruCli from './ru/cli.json' with { type: 'json' };
import uzCli from './uz/cli.json' with { type: 'json' };
import enCommon from './en/common.json' with { type: 'json' };
import ruCommon from './ru/common.json' with { type: 'json' };
import uzCommon from './uz/common.json' with { type: 'json' };
import enDeletion from './en/deletion.json' with { type: 'json' };
import ruDeletion from './ru/deletion.json' with { type: 'json' };
import uzDeletion from './uz/deletion.json' with { type: 'json' };
import enDialogs from './en/dialogs.json' with { type: 'json' };
import ruDialogs from './ru/dialogs.json' with { type: 'json' };
import uzDialogs from './uz/dialogs.json' with { type: 'json' };
import enDictation from './en/dictation.json' with { type: 'json' };
import ruDictation from './ru/dictation.json' with { type: 'json' };
import uzDictation from './uz/dictation.json' with { type: 'json' };
import enEditor from './en/editor.json' with { type: 'json' };
import ruEditor from './ru/editor.json' with { type: 'json' };
import uzEditor from './uz/editor.json' with { type: 'json' };
import enErrors from './en/errors.json' with { type: 'json' };
import ruErrors from './ru/errors.json' with { type: 'json' };
import uzErrors from './uz/errors.json' with { type: 'json' };
import enExports from './en/exports.json' with { type: 'json' };
import ruExports from './ru/exports.json' with { type: 'json' };
import uzExports from './uz/exports.json' with { type: 'json' };
import enIsolate from './en/isolate.json' with { type: 'json' };
import ruIsolate from './ru/isolate.json' with { type: 'json' };
import uzIsolate from './uz/isolate.json' with { type: 'json' };
import enJobs from './en/jobs.json' with { type: 'json' };
import ruJobs from './ru/jobs.json' with { type: 'json' };
import uzJobs from './uz/jobs.json' with { type: 'json' };
import enLibrary from './en/library.json' with { type: 'json' };
import ruLibrary from './ru/library.json' with { type: 'json' };
import uzLibrary from './uz/library.json' with { type: 'json' };
import enListen from './en/listen.json' with { type: 'json' };
import ruListen from './ru/listen.json' with { type: 'json' };
import uzListen from './uz/listen.json' with { type: 'json' };
import enMenu from './en/menu.json' with { type: 'json' };
import ruMenu from './ru/menu.json' with { type: 'json' };
import uzMenu from './uz/menu.json' with { type: 'json' };
import enNetwork from './en/network.json' with { type: 'json' };
import ruNetwork from './ru/network.json' with { type: 'json' };
import uzNetwork from './uz/network.json' with { type: 'json' };
import enPalette from './en/palette.json' with { type: 'json' };
import ruPalette from './ru/palette.json' with { type: 'json' };
import uzPalette from './uz/palette.json' with { type: 'json' };
import enRecovery from './en/recovery.json' with { type: 'json' };
import ruRecovery from './ru/recovery.json' with { type: 'json' };
import uzRecovery from './uz/recovery.json' with { type: 'json' };
import enSettings from './en/settings.json' with { type: 'json' };
import ruSettings from './ru/settings.json' with { type: 'json' };
import uzSettings from './uz/settings.json' with { type: 'json' };
import enShell from './en/shell.json' with { type: 'json' };
import ruShell from './ru/shell.json' with { type: 'json' };
import uzShell from './uz/shell.json' with { type: 'json' };
import enShortcuts from './en/shortcuts.json' with { type: 'json' };
import ruShortcuts from './ru/shortcuts.json' with { type: 'json' };
import uzShortcuts from './uz/shortcuts.json' with { type: 'json' };
import enSpeak from './en/speak.json' with { type: 'json' };
import ruSpeak from './ru/speak.json' with { type: 'json' };
import uzSpeak from './uz/speak.json' with { type: 'json' };
import enTranscribe from './en/transcribe.json' with { type: 'json' };
import ruTranscribe from './ru/transcribe.json' with { type: 'json' };
import uzTranscribe from './uz/transcribe.json' with { type: 'json' };
import enTranscripts from './en/transcripts.json' with { type: 'json' };
import ruTranscripts from './ru/transcripts.json' with { type: 'json' };
import uzTranscripts from './uz/transcripts.json' with { type: 'json' };
import enTray from './en/tray.json' with { type: 'json' };
import ruTray from './ru/tray.json' with { type: 'json' };
import uzTray from './uz/tray.json' with { type: 'json' };
import enVersions from './en/versions.json' with { type: 'json' };
import ruVersions from './ru/versions.json' with { type: 'json' };
import uzVersions from './uz/versions.json' with { type: 'json' };
import enVoices from './en/voices.json' with { type: 'json' };
import ruVoices from './ru/voices.json' with { type: 'json' };
import uzVoices from './uz/voices.json' with { type: 'json' };
import enWebhooks from './en/webhooks.json' with { type: 'json' };
import ruWebhooks from './ru/webhooks.json' with { type: 'json' };
import uzWebhooks from './uz/webhooks.json' with { type: 'json' };
import enModels from './en/models.json' with { type: 'json' };
import ruModels from './ru/models.json' with { type: 'json' };
import uzModels from './uz/models.json' with { type: 'json' };
import enWelcome from './en/welcome.json' with { type: 'json' };
import ruWelcome from './ru/welcome.json' with { type: 'json' };
import uzWelcome from './uz/welcome.json' with { type: 'json' };

/** Every area of strings in the three languages that have catalogues of their own. List a new area here. */
const areas = {
  account: { en: enAccount, ru: ruAccount, uz: uzAccount },
  ask: { en: enAsk, ru: ruAsk, uz: uzAsk },
  cleaning: { en: enCleaning, ru: ruCleaning, uz: uzCleaning },
  cli: { en: enCli, ru: ruCli, uz: uzCli },
  common: { en: enCommon, ru: ruCommon, uz: uzCommon },
  deletion: { en: enDeletion, ru: ruDeletion, uz: uzDeletion },
  dialogs: { en: enDialogs, ru: ruDialogs, uz: uzDialogs },
  dictation: { en: enDictation, ru: ruDictation, uz: uzDictation },
  editor: { en: enEditor, ru: ruEditor, uz: uzEditor },
  errors: { en: enErrors, ru: ruErrors, uz: uzErrors },
  exports: { en: enExports, ru: ruExports, uz: uzExports },
  isolate: { en: enIsolate, ru: ruIsolate, uz: uzIsolate },
  jobs: { en: enJobs, ru: ruJobs, uz: uzJobs },
  library: { en: enLibrary, ru: ruLibrary, uz: uzLibrary },
  listen: { en: enListen, ru: ruListen, uz: uzListen },
  menu: { en: enMenu, ru: ruMenu, uz: uzMenu },
  network: { en: enNetwork, ru: ruNetwork, uz: uzNetwork },
  palette: { en: enPalette, ru: ruPalette, uz: uzPalette },
  recovery: { en: enRecovery, ru: ruRecovery, uz: uzRecovery },
  settings: { en: enSettings, ru: ruSettings, uz: uzSettings },
  shell: { en: enShell, ru: ruShell, uz: uzShell },
  shortcuts: { en: enShortcuts, ru: ruShortcuts, uz: uzShortcuts },
  speak: { en: enSpeak, ru: ruSpeak, uz: uzSpeak },
  transcribe: { en: enTranscribe, ru: ruTranscribe, uz: uzTranscribe },
  transcripts: { en: enTranscripts, ru: ruTranscripts, uz: uzTranscripts },
  tray: { en: enTray, ru: ruTray, uz: uzTray },
  versions: { en: enVersions, ru: ruVersions, uz: uzVersions },
  voices: { en: enVoices, ru: ruVoices, uz: uzVoices },
  webhooks: { en: enWebhooks, ru: ruWebhooks, uz: uzWebhooks },
  models: { en: enModels, ru: ruModels, uz: uzModels },
  welcome: { en: enWelcome, ru: ruWelcome, uz: uzWelcome },
};

type Areas = typeof areas;
type Language = keyof Areas['common'];

/** The English strings by area: the keys that every language must have. */
export type EnglishCatalogue = { [A in keyof Areas]: Areas[A]['en'] };

/** The same keys with any string as value. A language may add plural forms (`files_few`) but never miss a key. */
type SameKeys<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends string[] ? readonly string[] : SameKeys<T[K]>;
};

/** The strings of one language by area. */
export type Catalogue = SameKeys<EnglishCatalogue>;

const textsOf = (language: Language) =>
  Object.fromEntries(Object.entries(areas).map(([area, texts]) => [area, texts[language]]));

// Typed by language, so that the compiler reports a key that one of them lacks.
const texts = { en: textsOf('en'), ru: textsOf('ru'), uz: textsOf('uz') } as {
  readonly [L in Language]: { readonly [A in keyof Areas]: Areas[A][L] };
};

/** The languages with catalogues of their own. The built app parses each on first use (`scripts/vite-plugins.ts`). */
export const catalogues: { readonly [L in Language]: Catalogue } = texts;
