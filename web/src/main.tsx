import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./components/frame/App";
import { startPreferences } from "./hooks/usePreferences";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");

startPreferences();
// After an update of the server, parts of the page that is open are gone there.
window.addEventListener("vite:preloadError", () => window.location.reload());
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
