import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { IsolateState, IsolateStore } from './model/isolate-store.ts';

export const IsolateContext = createContext<IsolateStore | null>(null);

export function useIsolate(): IsolateStore {
  const store = useContext(IsolateContext);
  if (store === null) throw new Error('useIsolate outside of IsolateProvider');
  return store;
}

export const useIsolateState = <T>(select: (state: IsolateState) => T): T => useStore(useIsolate(), select);
