@echo off
set "ELECTRON_HOST_EXECUTABLE=%~dp0electron.cmd"
set "HOST_NODE=%~dp0..\..\..\node_modules\.bin\node.cmd"
if not exist "%HOST_NODE%" set "HOST_NODE=node"
"%HOST_NODE%" --disable-warning=ExperimentalWarning --unhandled-rejections=warn "%~dp0..\src\boot.ts" %*
