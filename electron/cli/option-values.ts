import type { ParseArgsConfig } from 'node:util';
import type { ModeId } from '../../shared/domain/modes.ts';
import { wrong, type Command, type Wrong } from './command.ts';

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One command: its own options, and how they are parsed. */
export interface Reader {
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly read: (values: Values, positionals: readonly string[]) => Command;
}

export const flag = { type: 'boolean', default: false } as const;
export const textOption = { type: 'string' } as const;
export const textsOption = { type: 'string', multiple: true, default: [] as string[] } as const;
export const withDefault = (value: string) => ({ type: 'string', default: value }) as const;

/** Options that every command has. */
export const forAll = { json: flag, help: { type: 'boolean', short: 'h', default: false } } as const;
export const forPaid = { practice: flag, force: flag, 'send-again': flag } as const;

export const stringOf = (value: Values[string]): string => (typeof value === 'string' ? value : '');
export const stringsOf = (value: Values[string]): readonly string[] =>
  typeof value === 'object' ? value.filter((one) => typeof one === 'string') : [];
export const isOn = (value: Values[string]): boolean => value === true;
/** Where the command works: `--practice` and `--local` name a service on this computer. */
export const forService = (values: Values): { readonly mode: ModeId; readonly isJson: boolean } => ({
  mode: isOn(values['practice']) ? 'practice' : isOn(values['local']) ? 'local' : 'service',
  isJson: isOn(values['json']),
});

export const refusePositionals = (positionals: readonly string[]): Wrong | null =>
  positionals[0] === undefined ? null : wrong('unexpected', positionals[0]);
