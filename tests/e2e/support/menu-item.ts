import type { Studio } from './studio.ts';

interface ShownItem {
  readonly label: string;
  readonly accelerator: string | undefined;
  readonly enabled: boolean;
}

/** An item of the menu bar as the system has it. */
export const menuItem = ({ app }: Studio, id: string): Promise<ShownItem | null> =>
  app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    return item
      ? { label: item.label, accelerator: item.accelerator as string | undefined, enabled: item.enabled }
      : null;
  }, id);
