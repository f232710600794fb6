import { parseArgs } from 'node:util';
import { commandNames, wrong, type Command, type CommandName } from './command.ts';
import { readers } from './option-readers.ts';
import { forAll, isOn, type Values } from './option-values.ts';

const isCommandName = (name: string): name is CommandName => commandNames.some((one) => one === name);

/** Reads the arguments after the script's name. The first one is the command. Never throws. */
export function readCommand(args: readonly string[]): Command {
  const [name, ...rest] = args;
  if (name === undefined) return wrong('noCommand');
  if (name === '--help' || name === '-h') return { kind: 'help', topic: null };
  if (name === '--version' || name === '-V') return { kind: 'version' };
  if (name === 'help') return { kind: 'help', topic: commandNames.find((one) => one === rest[0]) ?? null };
  if (!isCommandName(name)) return name.startsWith('-') ? wrong('noCommand') : wrong('unknownCommand', name);
  const { options, read } = readers[name];
  try {
    const parsed = parseArgs({
      args: rest,
      allowPositionals: true,
      strict: true,
      options: { ...forAll, ...options },
    });
    const values = parsed.values as Values;
    return isOn(values['help']) ? { kind: 'help', topic: name } : read(values, parsed.positionals);
  } catch (error) {
    const named = error instanceof Error ? /'(-[^']*)'/.exec(error.message)?.[1] : undefined;
    return wrong('unknownOption', named ?? rest.find((arg) => arg.startsWith('-')) ?? '');
  }
}
