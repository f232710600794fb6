import { cli } from './cli.ts';
import { common } from './common.ts';
import { dialogs } from './dialogs.ts';
import { editor } from './editor.ts';
import { errors } from './errors.ts';
import { exports } from './exports.ts';
import { shell } from './shell.ts';
import { transcribe } from './transcribe.ts';
import { welcome } from './welcome.ts';

export const ru = { cli, common, dialogs, editor, errors, exports, shell, transcribe, welcome };
