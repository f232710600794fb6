import { judgeSpend, lengthBySize, withSpent } from '../../../shared/domain/spend/spend-limit.ts';
import { exportDisk } from '../../platform/node/export-disk.ts';
import { copyFolder, createWatchPort } from '../../platform/node/watch-folder.ts';
import { createAutoExport } from '../../services/automation/auto-export.ts';
import { createFolderWatch } from '../../services/automation/folder-watch.ts';
import type { WorkspaceSwitch } from '../../workspace/workspace-switch.ts';
import type { JobsChange } from '../../services/jobs/job-service.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import type { SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';

export interface AutomationOptions {
  readonly settings: SettingsStore;
  readonly workspaces: () => WorkspaceSwitch;
  /** Whether recordings are sent by the legacy API now. */
  readonly usesLegacy: () => boolean;
}

/** What the app does with the queue by itself: automatic exports and the watched folder. */
export function createAutomation({ settings, workspaces, usesLegacy }: AutomationOptions) {
  /** Nobody is there to be asked, so what would exceed the hourly limit is not added (S-15). */
  const fitsLimit = (estimate: SpendEstimate): boolean => {
    const { mode, spendLimitMinutes, spentLately } = settings.get();
    if (mode !== 'service') return true;
    if (judgeSpend(spendLimitMinutes, spentLately, estimate, Date.now()).tag === 'ask') return false;
    settings.update({ spentLately: withSpent(spentLately, estimate, Date.now()) });
    return true;
  };
  const library = () => {
    const current = workspaces().current();
    return current.ok ? current.value : null;
  };
  const copies = createAutoExport({
    settings: () => {
      const {
        savesCopies,
        copyFolder: folder,
        copyFormats,
        copyTemplate,
        copyCollision,
        copiesSinceMs,
        exportChoices,
      } = settings.get();
      return {
        isOn: savesCopies,
        folder,
        formats: copyFormats,
        template: copyTemplate,
        collision: copyCollision,
        options: (format) => exportChoices[format] ?? {},
        sinceMs: copiesSinceMs,
      };
    },
    folders: copyFolder,
    disk: exportDisk,
  });
  const watch = createFolderWatch({
    settings: () => {
      const { watchFolder, speechLanguage, includeSpeakers } = settings.get();
      return { folder: watchFolder, language: speechLanguage, includeSpeakers, isLegacy: usesLegacy() };
    },
    port: createWatchPort(),
    library,
    mayTake: async ({ sizeBytes, durationMs }) =>
      fitsLimit({
        requests: 1,
        audioMs: durationMs ?? lengthBySize(sizeBytes),
        characters: 0,
        isRough: durationMs === null,
      }),
    now: Date.now,
  });
  return {
    /** Handles changed rows of the queue. */
    follow(change: JobsChange): void {
      const open = library();
      if (open !== null) copies.follow(open, change.jobs);
      watch.refresh();
    },
    /** The settings or the library changed, so what failed is tried again. */
    refresh(): void {
      const open = library();
      if (open !== null) copies.follow(open, open.jobs.list().jobs);
      watch.refresh();
    },
    /** Tries again to write the exports that failed. */
    async retryCopies(): Promise<void> {
      const open = library();
      if (open !== null) await copies.retry(open);
    },
    async close(): Promise<void> {
      await watch.close();
      await copies.close();
    },
  };
}
