export { RecoveryFrame, RecoveryGate } from './recovery-gate.tsx';
