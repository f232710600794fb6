import type { Workspace } from '../workspace/open-workspace.ts';
import type { BrowserWindow } from 'electron';
import type { KeyService, Secret } from '../services/secrets/key-service.ts';
import type { ModelDownloads } from '../recogniser/model-downloads.ts';
import type { Result } from '../../shared/result/result.ts';
import type { ConnectionService } from '../workspace/connection-service.ts';
import type { WorkspaceSwitch } from '../workspace/workspace-switch.ts';
import type { Intake } from '../services/intake/intake.ts';
import type { FileTokens, MediaTokens } from '../services/media/tokens.ts';
import type { TextParts } from '../services/transcripts/text-in-parts.ts';
import type { ImportProgress } from '../shell/import-progress.ts';
import type { KeyPurpose } from '../shell/windows/key-window.ts';
import type { AppMenu } from '../shell/app-menu.ts';
import type { SettingsStore } from '../services/settings/stored-settings.ts';
import type { PaidActions, UserActivations } from '../services/spend/spend-guard.ts';
import type { OldRowsService, StorageService } from '../services/storage/storage-service.ts';

import type { Failure } from '../../shared/result/failure.ts';
import type { AccessDescription } from '../services/account/access-service.ts';
import type { Capabilities } from '../shell/shell-capabilities.ts';
import type { Events } from '../shell/events.ts';
import { z } from 'zod';
import { speechLanguages } from '../../shared/domain/languages.ts';

export interface DictationReach {
  /** The key that starts it from any program works, belongs to another program (`taken`), or is `off`. */
  readonly key: 'works' | 'taken' | 'off' | 'no-keys';
  readonly canOverlay: boolean;
  readonly programs: 'reached' | 'no-xdotool' | 'wayland' | 'not-yet' | 'no-keys';
  readonly tellsRelease: boolean;
  readonly tellsLayout: boolean;
}

export interface ConnectionReport {
  readonly service: 'reached' | 'not-reached' | 'not-this-service';
  readonly key: 'accepted' | 'refused' | 'missing' | 'not-checked' | 'legacy-generation';
  readonly products: AccessDescription['products'];
  readonly legacyKey?: 'accepted' | 'refused' | 'not-checked';
  readonly failure: Failure | null;
}

/** What procedures stand on. Services of a mode come with its workspace, so a section adds nothing here. */
export interface App {
  readonly workspaces: WorkspaceSwitch;
  readonly version: string;
  readonly settings: SettingsStore;
  readonly keys: KeyService;
  readonly legacyKeys: KeyService;
  readonly accountTokens: KeyService;
  /** A signing secret that was typed to check a delivery; never stored. */
  readonly signingSecret: () => Secret | null;
  readonly connection: ConnectionService;
  readonly models: { readonly downloads: ModelDownloads; readonly hasOwn: boolean };
  readonly collectDiagnostics: () => Promise<string>;
  readonly checkConnection: (baseUrl: string) => Promise<ConnectionReport>;
  readonly retryCopies: () => Promise<void>;
  readonly storage: StorageService;
  readonly oldRows: OldRowsService;
  readonly dataRoot: string;
  readonly libraryRoot: () => string;
  readonly noisySample: string;
  readonly saveText: (path: string, text: string | Uint8Array) => Promise<Result<null>>;

  // What belongs to the requesting window: dialogs, menu, its file tokens and user activations.
  readonly capabilities: Capabilities;
  readonly publishFinding: (progress: Events['library.finding']) => void;
  readonly publishMove: (progress: Events['storage.moving']) => void;
  readonly publishTake: (payload: Events['speak.takeChanged']) => void;
  readonly fileTokens: FileTokens;
  readonly intake: Intake;
  readonly adding: ImportProgress;
  readonly mediaTokens: MediaTokens;
  readonly textParts: TextParts;
  readonly paid: PaidActions;
  readonly activations: UserActivations;
  readonly openKeyWindow: (purpose: KeyPurpose) => void;
  readonly hearDictation: (pcm: Int16Array) => void;
  readonly noteMicrophoneGone: (device: string) => void;
  readonly noteSaved: (isSaved: boolean) => void;
  readonly dictationReach: () => Promise<DictationReach>;
  readonly tryPaste: (text: string, isWanted: () => boolean) => Promise<void>;
  readonly menu: Pick<AppMenu, 'quit' | 'setAvailable'>;
  readonly windowOf: (windowId: number) => BrowserWindow | undefined;
}

/** Asks a service of the open workspace; without one, the reason is the answer. */
export const askOpened =
  <Service>(workspaces: WorkspaceSwitch, serviceOf: (workspace: Workspace) => Service) =>
  async <T>(ask: (service: Service) => Promise<Result<T>> | Result<T>): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(serviceOf(workspace.value)) : workspace;
  };

export const speechLanguage = z.enum(speechLanguages);
export const id = z.string().min(1).max(128);
/** Issued by main for one file and one window; reveals nothing about the file's location. */
export const fileToken = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
export const restorationModel = z.string().trim().min(1).max(100);
