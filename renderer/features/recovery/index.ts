export { RecoveryFrame } from './recovery-frame.tsx';
export { RecoveryGate } from './recovery-gate.tsx';
