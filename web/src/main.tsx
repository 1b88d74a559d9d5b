import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./components/layout/App";
import { startPreferences } from "./hooks/usePreferences";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");

startPreferences();
// After a server update, the chunks of an open page no longer exist.
window.addEventListener("vite:preloadError", () => window.location.reload());
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
