import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import { noQueue, type JobView, type QueueView } from '../../../shared/domain/jobs/job-view.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { describeTray, type TrayEntry, type TrayAction } from './tray-entries.ts';

/** Every change redraws an open menu, so changes are combined. */
const quietMs = 1000;

export interface StudioTrayOptions {
  readonly icon: string;
  readonly language: () => InterfaceLanguage;
  readonly isLibraryOpen: () => boolean;
  readonly isLocal: () => boolean;
  readonly onAction: (action: TrayAction) => void;
}

interface TrayChange {
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

export interface StudioTray {
  readonly isThere: boolean;
  follow(change: TrayChange): void;
  refresh(): void;
  close(): void;
}

const nobody: StudioTray = {
  isThere: false,
  follow: () => undefined,
  refresh: () => undefined,
  close: () => undefined,
};

/** A system without a tray refuses or ignores it, so nothing depends on it. */
export function openStudioTray(options: StudioTrayOptions): StudioTray {
  const made = makeTray(options.icon);
  if (made === null) return nobody;
  const tray = made;
  const jobs = new Map<string, JobView>();
  let queue = noQueue;
  let timer: NodeJS.Timeout | undefined;
  let shown = '';

  const show = () => {
    timer = undefined;
    const look = describeTray({
      jobs: [...jobs.values()],
      queue,
      isOpen: options.isLibraryOpen(),
      isLocal: options.isLocal(),
      language: options.language(),
    });
    const wanted = JSON.stringify(look);
    if (wanted === shown) return;
    shown = wanted;
    tray.setToolTip(look.tooltip);
    tray.setContextMenu(Menu.buildFromTemplate(look.entries.map((entry) => toItem(entry, options.onAction))));
  };

  if (process.platform === 'win32') tray.on('click', () => options.onAction('open'));
  show();
  return {
    isThere: true,
    follow(change) {
      for (const job of change.jobs) jobs.set(job.id, job);
      for (const id of change.removedIds) jobs.delete(id);
      queue = change.queue;
      timer ??= setTimeout(show, quietMs);
    },
    refresh: show,
    close() {
      clearTimeout(timer);
      tray.destroy();
    },
  };
}

function makeTray(icon: string): Tray | null {
  try {
    return new Tray(nativeImage.createFromPath(icon));
  } catch {
    return null;
  }
}

function toItem(entry: TrayEntry, onAction: (action: TrayAction) => void): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' };
    case 'fact':
      return { label: entry.text, enabled: false };
    case 'action':
      return { id: entry.action, label: entry.text, enabled: entry.isEnabled, click: () => onAction(entry.action) };
  }
}
