import { Fragment } from 'react';
import { Small, TextLink } from '../../../components/basics.tsx';
import { Icon } from '../../../components/icons.tsx';
import { counted } from '../../../components/locale.ts';
import { Breakable } from '../../../components/screen.tsx';
import type { PromptPage } from '../prompt-queries.ts';
import classes from './folders.module.css';

/** The breadcrumbs of a prompt or a folder (`name` ends with a slash): the list, and each folder. */
export const FolderTrail = ({ name }: { name: string }) => (
  <nav aria-label="Folders" className="cv-break">
    <TextLink to="/prompts">Prompts</TextLink>
    {name.split('/').map((part, index, parts) => {
      const folder = parts.slice(0, index + 1).join('/');
      return (
        part !== '' &&
        folder !== name && (
          <Fragment key={folder}>
            {' / '}
            <TextLink to="/prompts" search={{ folder }}>
              {part}
            </TextLink>
          </Fragment>
        )
      );
    })}
  </nav>
);

interface FoldersProps {
  folders: PromptPage['folders'];
  within: string | undefined;
}

export const Folders = ({ folders, within }: FoldersProps) => (
  <ul className={`cv-list ${classes.list}`} aria-label="Folders">
    {folders.map(({ folder, prompts, drafts, more }) => (
      <li key={folder} className={classes.item}>
        <Icon name="folder" className={classes.icon} />
        <TextLink to="/prompts" search={{ folder }} fw={600}>
          <Breakable text={folder.slice(within === undefined ? 0 : within.length + 1)} />
        </TextLink>
        <Small span ml="auto" style={{ whiteSpace: 'nowrap' }}>
          {more ? `more than ${counted(prompts, 'prompt')}` : counted(prompts, 'prompt')}
          {drafts && `, ${counted(drafts, 'draft')}`}
        </Small>
      </li>
    ))}
  </ul>
);
