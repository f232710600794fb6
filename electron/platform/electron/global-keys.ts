import { app, globalShortcut } from 'electron';

/** A key that another program holds is refused by the system and stays unregistered. */
export function createGlobalKeys<Command extends string>(listeners: Readonly<Record<Command, () => void>>) {
  const registered = new Map<Command, string>();
  const release = (command: Command): void => {
    const accelerator = registered.get(command);
    if (accelerator !== undefined) globalShortcut.unregister(accelerator);
    registered.delete(command);
  };
  app.on('will-quit', () => {
    for (const command of registered.keys()) release(command);
  });
  return {
    assign: (command: Command, accelerator: string | null): void => {
      if (accelerator === (registered.get(command) ?? null)) return;
      release(command);
      if (accelerator !== null && globalShortcut.register(accelerator, listeners[command]))
        registered.set(command, accelerator);
    },
    acceleratorOf: (command: Command): string | null => registered.get(command) ?? null,
  };
}
