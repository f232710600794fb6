import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { accountHandlers } from './account-handlers.ts';
import { appHandlers } from './app-handlers.ts';
import { askHandlers } from './ask-handlers.ts';
import { automationHandlers } from './automation-handlers.ts';
import { connectionHandlers } from './connection-handlers.ts';
import { diagnosticsHandlers } from './diagnostics-handlers.ts';
import { dictationHandlers } from './dictation-handlers.ts';
import { exportHandlers } from './export-handlers.ts';
import type { HandlerServices } from './handler-services.ts';
import { isolationHandlers } from './isolation-handlers.ts';
import { jobHandlers } from './job-handlers.ts';
import { libraryHandlers } from './library-handlers.ts';
import { modelHandlers } from './model-handlers.ts';
import { recoveryHandlers } from './recovery-handlers.ts';
import { speakHandlers } from './speak-handlers.ts';
import { storageHandlers } from './storage-handlers.ts';
import { transcriptHandlers } from './transcript-handlers.ts';
import { usageHandlers } from './usage-handlers.ts';
import { voicesHandlers } from './voices-handlers.ts';
import { webhookHandlers } from './webhook-handlers.ts';

/** A handler for every request of the contract; a missing one is a compiler error. */
export const createHandlers = (services: HandlerServices): Handlers<Contract> => ({
  ...accountHandlers(services),
  ...appHandlers(services),
  ...askHandlers(services),
  ...automationHandlers(services),
  ...connectionHandlers(services),
  ...diagnosticsHandlers(services),
  ...dictationHandlers(services),
  ...isolationHandlers(services),
  ...jobHandlers(services),
  ...libraryHandlers(services),
  ...modelHandlers(services),
  ...recoveryHandlers(services),
  ...speakHandlers(services),
  ...storageHandlers(services),
  ...transcriptHandlers(services),
  ...usageHandlers(services),
  ...voicesHandlers(services),
  ...webhookHandlers(services),
  ...exportHandlers(services),
});
