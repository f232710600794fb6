import type { BrowserWindow } from 'electron';
import type { Capabilities, ConnectionReport } from '../../../shared/ipc/schemas.ts';
import type { CorrectionsState } from '../../../shared/ipc/schemas-corrections.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { DictationReach } from '../../../shared/ipc/contract-dictation.ts';
import type { EventPayload } from '../../../shared/ipc/derive.ts';
import type { Secret } from '../../services/secrets/secret-store.ts';
import type { ModelDownloads } from '../../recogniser/model-downloads.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { ConnectionService } from '../../workspace/connection-service.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';
import type { Intake } from '../../services/intake/intake.ts';
import type { FileTokens } from '../../services/media/file-tokens.ts';
import type { MediaTokens } from '../../services/media/media-tokens.ts';
import type { Waveforms } from '../../services/media/waveforms.ts';
import type { TextParts } from '../../services/transcripts/text-parts.ts';
import type { ImportProgress } from '../import-progress.ts';
import type { ListJobs } from '../list-jobs.ts';
import type { KeyPurpose } from '../windows/key-window.ts';
import type { KeyService } from '../../services/secrets/key-service.ts';
import type { AppMenu } from '../app-menu.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { UserActivations, PaidActions } from '../../services/spend/paid-actions.ts';
import type { OldRowsService } from '../../services/storage/old-rows.ts';
import type { StorageService } from '../../services/storage/storage-service.ts';

/** The services that belong to the requesting window: dialogs, menu, its file tokens and user activations. */
export interface WindowServices {
  readonly capabilities: Capabilities;
  readonly publishFinding: (progress: EventPayload<Contract, 'library.finding'>) => void;
  readonly publishMove: (progress: EventPayload<Contract, 'storage.moving'>) => void;
  readonly publishTake: (payload: EventPayload<Contract, 'speak.takeChanged'>) => void;
  readonly fileTokens: FileTokens;
  readonly intake: Intake;
  readonly adding: ImportProgress;
  readonly mediaTokens: MediaTokens;
  readonly textParts: TextParts;
  readonly waveforms: Pick<Waveforms, 'keep'>;
  readonly paid: PaidActions;
  readonly activations: UserActivations;
  readonly openKeyWindow: (purpose: KeyPurpose) => void;
  /** Receives the audio of dictation from the microphone, to draw its volume. */
  readonly hearDictation: (pcm: Int16Array) => void;
  readonly noteMicrophoneGone: (device: string) => void;
  /** What the page answered before the window closes. */
  readonly noteSaved: (isSaved: boolean) => void;
  /** Which programs dictation reaches, and whether its key works in them. */
  readonly dictationReach: () => Promise<DictationReach>;
  /** Pastes a text into the focused window the way it is pasted into other programs, if that is then the wanted one. */
  readonly tryPaste: (text: string, isWanted: () => boolean) => Promise<void>;
  readonly menu: Pick<AppMenu, 'quit' | 'setAvailable'>;
  readonly windowOf: (windowId: number) => BrowserWindow | undefined;
}

/** The dependencies of handlers. Services of a mode come with its workspace, so a feature adds nothing here. */
export interface HandlerServices {
  /** The open workspace, or why there is none. */
  readonly workspaces: WorkspaceSwitch;
  readonly window: WindowServices;
  readonly version: string;
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly legacyKeys: KeyService;
  readonly accountTokens: KeyService;
  /** A signing secret that was typed to check a delivery; never stored. */
  readonly signingSecret: () => Secret | null;
  readonly connection: ConnectionService;
  readonly corrections: CorrectionsState;
  /** The models for recognition on this computer; `hasOwn`: one was chosen in the environment. */
  readonly models: { readonly downloads: ModelDownloads; readonly hasOwn: boolean };
  /** The text of a report for support. */
  readonly collectDiagnostics: () => Promise<string>;
  readonly checkConnection: (baseUrl: string) => Promise<ConnectionReport>;
  /** Repeats the automatic exports that failed. */
  readonly retryCopies: () => Promise<void>;
  /** The rows of the open library, in parts. */
  readonly listJobs: ListJobs;
  readonly storage: StorageService;
  readonly oldRows: OldRowsService;
  /** The app's own folder, for the system's file manager. */
  readonly dataRoot: string;
  /** The current folder of the service's library. */
  readonly libraryRoot: () => string;
  /** Where the bundled noisy recording is. */
  readonly noisySample: string;
  readonly saveText: (path: string, text: string) => Promise<Result<null>>;
}
