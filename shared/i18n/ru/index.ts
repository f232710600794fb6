import { cleaning } from './cleaning.ts';
import { cli } from './cli.ts';
import { common } from './common.ts';
import { corrections } from './corrections.ts';
import { deletion } from './deletion.ts';
import { dialogs } from './dialogs.ts';
import { editor } from './editor.ts';
import { errors } from './errors.ts';
import { exports } from './exports.ts';
import { jobs } from './jobs.ts';
import { menu } from './menu.ts';
import { network } from './network.ts';
import { palette } from './palette.ts';
import { recovery } from './recovery.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { shortcuts } from './shortcuts.ts';
import { transcribe } from './transcribe.ts';
import { transcripts } from './transcripts.ts';
import { tray } from './tray.ts';
import { welcome } from './welcome.ts';

export const ru = {
  cleaning,
  cli,
  common,
  corrections,
  deletion,
  dialogs,
  editor,
  errors,
  exports,
  jobs,
  menu,
  network,
  palette,
  recovery,
  settings,
  shell,
  shortcuts,
  transcribe,
  transcripts,
  tray,
  welcome,
};
