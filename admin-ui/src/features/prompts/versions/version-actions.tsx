import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiff, IconDots, IconRepeat, IconTag, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRole } from '../../../api/session-context.tsx';
import { formByNeed } from '../../../components/by-need.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { deleteVersion } from '../prompt-changes.ts';
import type { Prompt, Version, VersionRow } from '../prompt-queries.ts';

const PublishAgainForm = formByNeed(
  'publish-again',
  async () => (await import('./publish-again-form.tsx')).PublishAgainForm,
);

interface VersionActionsProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  readonly version: Version;
}

/** Actions on a version. */
export const VersionActions = ({ prompt, versions, version }: VersionActionsProps) => {
  const { can } = useRole();
  const index = versions.findIndex((row) => row.version === version.version);
  const other = versions[index + 1] ?? versions[index - 1];
  return (
    <>
      {other && (
        <ButtonLink
          to="/prompts/$promptId/compare"
          params={{ promptId: prompt.promptId }}
          search={{ from: other.version, to: version.version }}
          variant="default"
          size="compact-sm"
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
        >
          Compare
        </ButtonLink>
      )}
      {can('editor') && <EditorActions prompt={prompt} versions={versions} version={version} />}
    </>
  );
};

const EditorActions = ({ prompt, versions, version }: VersionActionsProps) => {
  const navigate = useNavigate();
  const { promptId } = prompt;
  const publishAgain = () =>
    openDialog({
      title: `Publish ${version.version} again`,
      size: '56rem',
      content: <PublishAgainForm prompt={prompt} version={version} />,
    });
  const isLatest = version.version === prompt.latest;
  const confirmDeletion = () =>
    confirmByName({
      title: `Delete version ${version.version}`,
      name: version.version,
      verb: 'Delete',
      action: async (confirmed) => {
        await deleteVersion(promptId, version.version, confirmed);
        notifyDone(`Version ${version.version} is deleted.`);
        await navigate({ to: '/prompts/$promptId', params: { promptId } });
      },
      affected: (
        <ImpactPanel
          promptId={promptId}
          scopes={[
            { kind: 'version', version: version.version },
            ...(isLatest ? [{ kind: 'latest' } as const] : []),
          ]}
          outcome={
            isLatest
              ? 'get an error, or the next lower version if they name none'
              : 'get an error on the next fetch'
          }
        />
      ),
      text: `Version ${version.version} is deleted permanently and its number is never used again. Callers that ask for this version get an error.`,
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={26} aria-label={`Actions for version ${version.version}`}>
          <IconDots size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTag size={15} aria-hidden />}
          onClick={() => openLabelForm({ prompt, versions, version: version.version })}
        >
          Point a label here
        </Menu.Item>
        <Menu.Item leftSection={<IconRepeat size={15} aria-hidden />} onClick={publishAgain}>
          Publish again as a new version
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={15} aria-hidden />}
          onClick={confirmDeletion}
        >
          Delete this version
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
