import type { Result } from '../../shared/result/result.ts';
import type { ModelStyle } from '../../shared/domain/dictation/clean-up.ts';
import type { ChosenModel } from '../services/assistant/assistant-service.ts';
import type { DictationService } from '../services/dictation/dictation-service.ts';
import type { Library } from '../services/library/library.ts';
import type { openServiceSession } from './open-service-session.ts';

/**
 * Everything that uses the service of one mode and pays for it. Several processes may have one open at the same time.
 */
export type ServiceSession = ReturnType<typeof openServiceSession>;

/** Everything of one mode: its service, and its library with the queue. Only one process at a time may have it open. */
export interface Workspace extends ServiceSession, Library {
  readonly dictation: DictationService;
  /** The model that writes phrases in a style, and the most that a long one can cost. */
  cleanUpCost(style: ModelStyle): Promise<Result<ChosenModel>>;
  /** Turns a take into a transcript of the library, with a name. */
  saveTake(takeId: string, name: string): Promise<Result<{ readonly transcriptId: string }>>;
}
