import { accountProcedures, usageProcedures, webhookProcedures } from './account.ts';
import {
  diagnosticsProcedures,
  diagnosticsStreams,
  automationProcedures,
  modelProcedures,
  recoveryProcedures,
  storageProcedures,
} from './storage.ts';
import { appProcedures } from './app.ts';
import { askProcedures, askStreams } from './ask.ts';
import { connectionProcedures } from './connection.ts';
import type { App } from './context.ts';
import { dictationProcedures, dictationStreams } from './dictation.ts';
import { exportProcedures, exportStreams } from './exports.ts';
import { isolationProcedures, isolationStreams } from './isolate.ts';
import { jobProcedures } from './jobs.ts';
import { libraryProcedures } from './library.ts';
import { speakProcedures, speakStreams } from './speak.ts';
import { transcriptProcedures } from './transcripts.ts';
import { voicesProcedures, voicesStreams } from './voices.ts';

/** Everything that a page may ask. Names are `section.verb`; longer work is a job, and its progress is an event. */
export const createProcedures = (app: App) => ({
  ...accountProcedures(app),
  ...appProcedures(app),
  ...askProcedures(app),
  ...automationProcedures(app),
  ...connectionProcedures(app),
  ...diagnosticsProcedures(app),
  ...dictationProcedures(app),
  ...exportProcedures(app),
  ...isolationProcedures(app),
  ...jobProcedures(app),
  ...libraryProcedures(app),
  ...modelProcedures(app),
  ...recoveryProcedures(app),
  ...speakProcedures(app),
  ...storageProcedures(app),
  ...transcriptProcedures(app),
  ...usageProcedures(app),
  ...voicesProcedures(app),
  ...webhookProcedures(app),
});
export type Procedures = ReturnType<typeof createProcedures>;

/** Two-way streams between a page and main, each over its own message port. */
export const createStreamProcedures = (app: App) => ({
  ...askStreams(app),
  ...diagnosticsStreams,
  ...dictationStreams(app),
  ...exportStreams(app),
  ...isolationStreams(app),
  ...speakStreams(app),
  ...voicesStreams(app),
});
export type StreamProcedures = ReturnType<typeof createStreamProcedures>;

export type { Events } from '../shell/events.ts';
