import { ActionIcon, Menu, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { openDialog } from '../dialogs/dialog.tsx';
import { DialogForm } from '../dialogs/dialog-form.tsx';
import { notifyDone } from '../dialogs/notify.tsx';
import {
  filterIn,
  filtersIn,
  isSameFilter,
  MOST_FILTERS,
  type SavedFilter,
  withFilter,
} from './saved-filters.ts';

/** The filters of a list that are saved in this browser, and a function that changes them. */
const useSavedFilters = (list: string) =>
  useLocalStorage<readonly SavedFilter[]>({
    key: `cuevault.filters.${list}`,
    defaultValue: [],
    deserialize: filtersIn,
    getInitialValueInEffect: false,
  });

/** A menu of the filters of a list, such as `prompts`, that were saved by name in this browser. */
export const SavedFilters = ({ list }: { list: string }) => {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const [saved, save] = useSavedFilters(list);
  const current = filterIn(search);
  const chosen = saved.find((one) => isSameFilter(one.search, current));
  const remove = ({ name }: SavedFilter) => {
    save(withFilter(saved, name));
    notifyDone(`The filter ${name} is removed.`);
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Saved filters" title="Saved filters">
          <IconBookmark size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        {saved.map((one) => (
          <Menu.Item
            key={one.name}
            className="cv-break"
            onClick={() => void navigate({ to: '.', search: one.search })}
          >
            {one.name}
          </Menu.Item>
        ))}
        {saved.length > 0 && <Menu.Divider />}
        {chosen ? (
          <Menu.Item className="cv-break" onClick={() => remove(chosen)}>
            Remove {chosen.name}
          </Menu.Item>
        ) : (
          <Menu.Item
            disabled={Object.keys(current).length === 0}
            onClick={() =>
              openDialog({ title: 'Save this filter', content: <SaveForm list={list} search={current} /> })
            }
          >
            Save this filter
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

const SaveForm = ({ list, search }: { list: string } & Pick<SavedFilter, 'search'>) => {
  const [name, setName] = useState('');
  const [saved, set] = useSavedFilters(list);
  const isKnown = saved.some((one) => one.name === name.trim());
  const isFull = saved.length >= MOST_FILTERS && !isKnown;
  const save = async () => {
    set(withFilter(saved, name.trim(), search));
    notifyDone(`${name.trim()} is among the saved filters of this list.`);
  };
  return (
    <DialogForm verb="Save" canSubmit={name.trim() !== '' && !isFull} action={save}>
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={60}
        error={isFull && `This list has ${MOST_FILTERS} filters. Remove one first.`}
        description={isKnown && 'Replaces the filter of this name.'}
        data-autofocus
      />
      <Text c="dimmed">It is kept in this browser. To share a filter, copy the address of the screen.</Text>
    </DialogForm>
  );
};
