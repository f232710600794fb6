import { spawn, type ChildProcess } from 'node:child_process';
import type Electron from 'electron';
import { findOnPath } from '../find-browser.ts';
import { host } from '../state.ts';
import { sayGaps, warnOnce } from '../unsupported.ts';

const separator = '\u001f';

/** Open dialogs, which close when the app exits. */
const shown = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of shown) child.kill();
});

/** A zenity dialog's answer; null when the user cancelled it or none could be shown. */
async function ask(name: string, args: readonly string[]): Promise<string | null> {
  const zenity = host.headless ? null : findOnPath('zenity');
  if (zenity === null) {
    const why = host.headless ? 'there is no display' : 'zenity is not installed';
    process.stderr.write(`electron-host: dialog.${name} was cancelled: ${why}\n`);
    return null;
  }
  let answer = await run(zenity, args, process.env);
  // In a locale that the system lacks, zenity refuses arguments beyond ASCII.
  if (answer === 'refused') answer = await run(zenity, args, { ...process.env, LC_ALL: 'C.UTF-8' });
  if (answer !== 'refused') return answer.text;
  process.stderr.write(`electron-host: dialog.${name} was cancelled: zenity did not show it\n`);
  return null;
}

const zenityRefused = 255;

function run(
  zenity: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly text: string | null } | 'refused'> {
  return new Promise((resolve) => {
    const child = spawn(zenity, [...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    shown.add(child);
    child.on('error', () => resolve('refused'));
    child.on('close', (code) => {
      shown.delete(child);
      if (code === zenityRefused) resolve('refused');
      else resolve({ text: code === 0 || text !== '' ? text.replace(/\n$/, '') : null });
    });
  });
}

/** The options, whether or not a window comes before them. */
const optionsOf = <T extends object>(args: readonly unknown[]): T => (args.length > 1 ? args[1] : (args[0] ?? {})) as T;

function filtersOf(filters: readonly Electron.FileFilter[] = []): string[] {
  return filters.map(({ name, extensions }) => {
    // Zenity's patterns are case-sensitive; names of recordings come in both cases.
    const either = (extension: string) =>
      extension.replaceAll(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`);
    const patterns = extensions.map((extension) => (extension === '*' ? '*' : `*.${either(extension)}`));
    return `--file-filter=${name} | ${patterns.join(' ')}`;
  });
}

const markup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const dialog = sayGaps(
  {
    async showOpenDialog(...args: unknown[]): Promise<Electron.OpenDialogReturnValue> {
      const { title = 'Open', properties = [], defaultPath, filters } = optionsOf<Electron.OpenDialogOptions>(args);
      const picked = await ask('showOpenDialog', [
        '--file-selection',
        `--title=${title}`,
        `--separator=${separator}`,
        ...(properties.includes('multiSelections') ? ['--multiple'] : []),
        ...(properties.includes('openDirectory') ? ['--directory'] : []),
        ...(defaultPath === undefined ? [] : [`--filename=${defaultPath}`]),
        ...filtersOf(filters),
      ]);
      return picked === null
        ? { canceled: true, filePaths: [] }
        : { canceled: false, filePaths: picked.split(separator) };
    },
    async showSaveDialog(...args: unknown[]): Promise<Electron.SaveDialogReturnValue> {
      const { title = 'Save', defaultPath, filters } = optionsOf<Electron.SaveDialogOptions>(args);
      const picked = await ask('showSaveDialog', [
        '--file-selection',
        '--save',
        '--confirm-overwrite',
        `--title=${title}`,
        ...(defaultPath === undefined ? [] : [`--filename=${defaultPath}`]),
        ...filtersOf(filters),
      ]);
      return picked === null ? { canceled: true, filePath: '' } : { canceled: false, filePath: picked };
    },
    async showMessageBox(...args: unknown[]): Promise<Electron.MessageBoxReturnValue> {
      const options = optionsOf<Electron.MessageBoxOptions>(args);
      const buttons = options.buttons?.length ? options.buttons : ['OK'];
      const text = markup(options.detail ? `${options.message}\n\n${options.detail}` : options.message);
      const kind =
        buttons.length > 1
          ? '--question'
          : options.type === 'error'
            ? '--error'
            : options.type === 'warning'
              ? '--warning'
              : '--info';
      // Zenity has one confirming button and any number of others that answer with their label.
      const picked = await ask('showMessageBox', [
        kind,
        `--title=${options.title ?? host.appName}`,
        `--text=${text}`,
        `--ok-label=${buttons[0]}`,
        ...(buttons.length > 1 ? ['--switch', ...buttons.toReversed().map((label) => `--extra-button=${label}`)] : []),
      ]);
      const cancel =
        options.cancelId ??
        Math.max(
          0,
          buttons.findIndex((label) => /^(cancel|no)$/i.test(label)),
        );
      const index = picked === null ? -1 : picked === '' ? 0 : buttons.indexOf(picked);
      return { response: index >= 0 ? index : cancel, checkboxChecked: options.checkboxChecked ?? false };
    },
    showErrorBox(title: string, content: string): void {
      process.stderr.write(`${title}\n${content}\n`);
      if (!host.headless && findOnPath('zenity') !== null)
        void ask('showErrorBox', ['--error', `--title=${title}`, `--text=${markup(content)}`]);
    },
    showCertificateTrustDialog(): Promise<void> {
      warnOnce('dialog.showCertificateTrustDialog');
      return Promise.resolve();
    },
  },
  'dialog',
);
dialog satisfies Pick<Electron.Dialog, 'showErrorBox'>;
