import { useEffect, useRef, useState } from 'react';
import { Scope } from '../../../lib/scope.ts';

/** What is dragged over the window: how many files, as far as the system tells before the drop. */
export type DragOver = { readonly tag: 'none' } | { readonly tag: 'files'; readonly count: number };

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** The whole window takes files. Enter and leave events of nested elements are counted to know when the drag is out. */
export function useFileDrop(onDrop: (files: readonly File[]) => void): DragOver {
  const [over, setOver] = useState<DragOver>({ tag: 'none' });
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  useEffect(() => {
    const scope = new Scope();
    let depth = 0;
    const end = () => {
      depth = 0;
      setOver({ tag: 'none' });
    };
    scope.listen<DragEvent>(window, 'dragenter', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      const count = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file').length;
      setOver({ tag: 'files', count });
    });
    scope.listen<DragEvent>(window, 'dragover', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    });
    scope.listen<DragEvent>(window, 'dragleave', (event) => {
      if (!carriesFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    });
    scope.listen<DragEvent>(window, 'drop', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      end();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) latest.current(files);
    });
    return () => {
      scope.dispose();
    };
  }, []);
  return over;
}
