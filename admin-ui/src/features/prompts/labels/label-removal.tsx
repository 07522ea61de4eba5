import { ConfirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { removeLabel } from '../prompt-changes.ts';
import type { Prompt } from '../prompt-queries.ts';

export interface LabelRemovalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly prompt: Prompt;
  readonly label: string;
  readonly version: string;
}

/** Asks before a label is removed. */
export const LabelRemoval = ({ opened, onClose, prompt, label, version }: LabelRemovalProps) => (
  <ConfirmByName
    opened={opened}
    onClose={onClose}
    title={`Remove the label “${label}”`}
    name={label}
    verb="Remove"
    action={async () => {
      await removeLabel(prompt.promptId, label, prompt.rev);
      notifyDone(`The label ${label} is removed.`);
    }}
    affected={
      <ImpactPanel
        promptId={prompt.promptId}
        scopes={[{ kind: 'label', label }]}
        outcome="get an error on the next fetch"
      />
    }
  >
    Version {version} stays, but callers that ask for <strong>{label}</strong> get an error.
  </ConfirmByName>
);
