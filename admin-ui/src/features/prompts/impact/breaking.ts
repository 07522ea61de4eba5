import type { BreakingChange } from '../../../../../contract/content/breaking.ts';

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

/** What a change means for callers, as one sentence. */
export const sentenceOf = (change: BreakingChange): string => {
  switch (change.kind) {
    case 'type-changed':
      return change.to === 'chat'
        ? 'The prompt becomes a chat: callers get messages, and JSON as their text.'
        : 'The prompt becomes a text: callers get no messages.';
    case 'variable-added':
      return `New variable ${change.name}: callers must send a value.`;
    case 'variable-removed':
      return `Removed variable ${change.name}: the value that callers send has no effect.`;
    case 'variable-retyped':
      return `Variable ${change.name}: type ${change.to} instead of ${change.from}.`;
    case 'enum-narrowed':
      return change.removed === undefined
        ? `Variable ${change.name}: only the listed values are allowed.`
        : `Variable ${change.name}: no longer allowed: ${listed(change.removed)}.`;
    case 'default-removed':
      return `Variable ${change.name}: no default any more, so callers must send a value.`;
    case 'placeholder-required':
      return `Callers must send the list of messages ${change.name}.`;
    case 'tool-added':
      return `New tool ${change.name}: callers must answer its calls.`;
    case 'tool-removed':
      return `Removed tool ${change.name}: the model no longer calls it.`;
    case 'tool-changed':
      return `Tool ${change.name}: its description or input differs.`;
  }
};
