import type { Result } from '../../shared/result/result.ts';
import type { DictationService } from '../services/dictation/dictation-service.ts';
import type { Library } from '../services/library/library.ts';
import type { openServiceSession } from './open-service-session.ts';

/** All that asks the service of one mode and pays for it. Several processes may have one open at the same time. */
export type ServiceSession = ReturnType<typeof openServiceSession>;

/** Everything of one mode: its service, and its library with the queue. One process at a time has it open. */
export interface Workspace extends ServiceSession, Library {
  readonly dictation: DictationService;
  /** Makes a text in the library of a take, under a name. */
  saveTake(takeId: string, name: string): Promise<Result<{ readonly transcriptId: string }>>;
}
