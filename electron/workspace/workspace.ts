import type { Result } from '../../shared/result/result.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import type { Downloader } from '../api/http/download-signed.ts';
import type { ServiceClient } from '../api/service-client.ts';
import type { AssistantService } from '../services/assistant/assistant-service.ts';
import type { SpeechService } from '../services/speech/speech-service.ts';
import type { DictationService } from '../services/dictation/dictation-service.ts';
import type { AccountService } from '../services/account/account-service.ts';
import type { Ledger } from '../services/account/ledger.ts';
import type { WebhookService } from '../services/webhooks/webhook-service.ts';
import type { Library } from '../services/library/library.ts';

/** All that asks the service of one mode and pays for it. Several processes may have one open at the same time. */
export interface ServiceSession {
  readonly mode: ModeId;
  readonly client: ServiceClient;
  /** Files behind signed addresses. */
  readonly downloader: Downloader;
  /** Everything that costs is written here by the client itself. */
  readonly ledger: Ledger;
  /** Stands for address and key, so that the same request for another account is another request. */
  accountId(this: void): string;
  readonly speech: SpeechService;
  readonly assistant: AssistantService;
  readonly account: AccountService;
  readonly webhooks: WebhookService;
  close(): Promise<void>;
}

/** Everything of one mode: its service, and its library with the queue. One process at a time has it open. */
export interface Workspace extends ServiceSession, Library {
  readonly dictation: DictationService;
  /** Makes a text in the library of a take, under a name. */
  saveTake(takeId: string, name: string): Promise<Result<{ readonly transcriptId: string }>>;
}
