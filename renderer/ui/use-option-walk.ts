import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent } from 'react';

const page = 8;

export function useOptionWalk<T extends { readonly id: string }>(options: readonly T[], onChoose: (option: T) => void) {
  const id = useId();
  const [wantedId, setWantedId] = useState<string | null>(null);
  const active = options.find((option) => option.id === wantedId) ?? options[0];
  const activeId = active?.id;
  const listId = `${id}-list`;
  useEffect(() => {
    document.getElementById(listId)?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [listId, activeId, options]);
  const optionId = (option: T) => `${id}-${option.id}`;
  const moves: Readonly<Record<string, (at: number) => number>> = {
    ArrowDown: (at) => (at + 1) % options.length,
    ArrowUp: (at) => (at - 1 + options.length) % options.length,
    PageDown: (at) => Math.min(options.length - 1, at + page),
    PageUp: (at) => Math.max(0, at - page),
  };
  return {
    active,
    listId,
    field: {
      role: 'combobox',
      'aria-expanded': active !== undefined,
      'aria-controls': listId,
      'aria-autocomplete': 'list' as const,
      ...(active && { 'aria-activedescendant': optionId(active) }),
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.nativeEvent.isComposing || active === undefined) return;
        const move = moves[event.key];
        if (move) setWantedId(options[move(options.indexOf(active))]?.id ?? null);
        else if (event.key === 'Enter') onChoose(active);
        else return;
        event.preventDefault();
      },
    },
    optionProps: (option: T) => ({
      id: optionId(option),
      role: 'option',
      tabIndex: -1,
      'aria-selected': option === active,
      onPointerMove: () => setWantedId(option.id),
      // The field keeps the focus.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => onChoose(option),
    }),
    restart: () => setWantedId(null),
  };
}
