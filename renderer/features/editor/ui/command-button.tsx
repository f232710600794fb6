import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { useCommandTitle, useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { IconButton, type IconButtonProps } from '../../../ui/icon-button.tsx';

type CommandButtonProps = Omit<IconButtonProps, 'label' | 'shortcut' | 'onPress'> & {
  readonly id: CommandId;
  /** The title of the command, unless a shorter text says enough beside the other buttons. */
  readonly label?: string;
};

export function CommandButton({ id, label, ...button }: CommandButtonProps) {
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  const keyFor = useKeyFor();
  return <IconButton {...button} label={label ?? titleOf(id)} shortcut={keyFor(id)} onPress={() => run(id)} />;
}
