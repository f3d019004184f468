// Light or dark: as the system says, until one chooses.
import { Store } from "../store";

export type Theme = "system" | "light" | "dark";

const KEY = "houserule-theme";

function kept(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

/** The choice. */
export const theme = new Store<Theme>(kept());

function apply(value: Theme): void {
  if (value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

apply(theme.value);
theme.listen((value) => {
  apply(value);
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The choice holds until the page is closed.
  }
});
